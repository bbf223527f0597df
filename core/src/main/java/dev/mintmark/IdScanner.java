package dev.mintmark;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the identifiers in a text: a log, a JSON document, a URL, a stack trace. Takes time that
 * grows linearly with the length of the text. Immutable, and safe for threads.
 *
 * <p>Only what hardly occurs by chance is found: UUIDs with hyphens or as 32 hexadecimal digits,
 * ULIDs, TypeIDs, masks, KSUIDs, Xids, ObjectIds and TSIDs with a plausible time, Snowflakes of 15
 * digits or more with a plausible time, numbers of 128 bits, keys with a prefix, 21 or 22 digits of
 * base 64 with at least two decimal digits and letters of both cases, pURIs, identifiers with the
 * prefix of a collection of the catalog, and those of a format of the catalog that begin with fixed
 * characters or are decimal numbers of 15 digits or more with a plausible time. Words, dates,
 * versions and smaller numbers are not.
 *
 * <p>An identifier ends at any character that is not a letter of ASCII, a digit, a hyphen or an
 * underscore. Within such a run, parts between hyphens or underscores are identifiers if the whole
 * is none. Escapes as in URLs and JSON ({@code %3D}, {@code \n}) separate too.
 *
 * <pre>{@code
 * IdScanner.Scan scan = IdScanner.of(catalog).scan("user 01FZG96YPZK4SANAG1ZM5T2K9Z logged in");
 * scan.found().get(0).start();  // 5
 * }</pre>
 */
public final class IdScanner {
  /** The most identifiers that a scan returns. */
  public static final int FOUND_MAX = 1_000;

  /** The shortest identifier of a collection: a prefix, and a few digits. */
  private static final int LENGTH_MIN = 4;

  /** The shortest text that was meant to be an identifier of a known kind. */
  private static final int MISS_LENGTH_MIN = 10;

  /** Digits of the shortest face. */
  private static final int FACE_DIGITS_MIN = 14;

  /** The characters that a URL or a string in JSON or in code cannot contain themselves. */
  private static final Pattern ESCAPE =
      Pattern.compile(
          "%(?i:0[ad]|2[0236789bcf]|3[a-f]|5[bcd]|7[bcd])|\\\\([nrtbfx]|u00[0-9A-Fa-f]{2})");

  /** The characters of the longest escape. */
  private static final int ESCAPE_MAX = 6;

  private static final Pattern UUID =
      Pattern.compile(
          "(?<![0-9A-Za-z])[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}(?![0-9A-Za-z])");

  private static final Pattern IPV4 = Pattern.compile("([0-9]{1,3}(?:\\.[0-9]{1,3}){3})(:[0-9]+)?");

  /** The characters of the longest text of an IPv6 address, whose end is an IPv4 address. */
  private static final int IPV6_LENGTH_MAX = 45;

  private final Puris puris;
  private final DeclaredFormats formats;
  private final InstantSource clock;
  private final Predicate<String> isValue;
  private final Map<String, CollectionSpec> byPrefix = new HashMap<>();
  private final Map<String, CollectionSpec> byNumberPrefix = new HashMap<>();

  private IdScanner(Catalog catalog, InstantSource clock, Predicate<String> isValue) {
    this.puris = Puris.of(catalog);
    this.formats = DeclaredFormats.of(catalog.formats());
    this.clock = clock;
    this.isValue = isValue;
    for (CollectionSpec collection : catalog.collections()) {
      collection
          .face()
          .filter(face -> !face.mask().isEmpty())
          .ifPresent(face -> byPrefix.put(face.mask(), collection));
      collection
          .prefix()
          .ifPresent(
              prefix ->
                  (collection.kind().has(Kind.Option.WIDTH) ? byNumberPrefix : byPrefix)
                      .put(prefix, collection));
    }
  }

  /**
   * An identifier in a text.
   *
   * @param start the index of its first UTF-16 code unit
   * @param end the index after its last
   * @param text the characters between them
   * @param readings as {@link Inspector#inspect(String)}; empty for an address of a pool that is no
   *     identifier
   * @param collection the collection of the catalog that its prefix or its pURI names
   */
  public record Found(
      int start,
      int end,
      String text,
      List<Reading> readings,
      Optional<CollectionSpec> collection) {
    public Found {
      readings = List.copyOf(readings);
    }
  }

  /**
   * A part of a text that is almost an identifier.
   *
   * @param start the index of its first UTF-16 code unit
   * @param end the index after its last
   * @param text the characters between them
   * @param reason as {@link Inspector#nearestMiss}; characters are counted from {@code start}
   */
  public record Miss(int start, int end, String text, String reason) {}

  /**
   * The result of a scan.
   *
   * @param found the identifiers in their order; they do not overlap
   * @param isTruncated whether the text has more than {@value #FOUND_MAX}
   * @param nearestMiss if nothing was found: what comes nearest
   */
  public record Scan(List<Found> found, boolean isTruncated, Optional<Miss> nearestMiss) {
    public Scan {
      found = List.copyOf(found);
    }
  }

  /** Returns a scanner that knows the collections of a catalog. */
  public static IdScanner of(Catalog catalog) {
    return of(catalog, InstantSource.system(), address -> false);
  }

  /**
   * As above.
   *
   * @param clock tells which times are plausible
   * @param isValue whether an IP address is to be found; for example, because a pool has it
   */
  public static IdScanner of(Catalog catalog, InstantSource clock, Predicate<String> isValue) {
    return new IdScanner(catalog, clock, isValue);
  }

  /** Finds the identifiers in {@code text}. */
  public Scan scan(String text) {
    return new Run(text).scan();
  }

  /** Returns the collection whose prefix an identifier has. */
  private Optional<CollectionSpec> collectionOf(String id) {
    int underscore = id.lastIndexOf('_');
    if (underscore > 0 && id.length() - underscore > FACE_DIGITS_MIN) {
      String prefix = id.substring(0, underscore).toLowerCase(Locale.ROOT);
      CollectionSpec collection = byPrefix.get(prefix);
      if (collection != null) {
        return Optional.of(collection);
      }
    }
    int digits = id.length();
    while (digits > 0 && isDigit(id.charAt(digits - 1))) {
      digits--;
    }
    String prefix = id.substring(0, digits);
    return Optional.ofNullable(byNumberPrefix.get(prefix))
        .filter(
            collection ->
                new SequenceId.Format(prefix, collection.width()).tryParse(id).isPresent());
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isOfWord(char c) {
    return isDigit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' || c == '_';
  }

  private static boolean mayBeIpv6(String text) {
    return text.length() <= IPV6_LENGTH_MAX
        && text.indexOf(':') >= 0
        && text.chars().allMatch(c -> c == ':' || c == '.' || Character.digit(c, 16) >= 0);
  }

  private static boolean isOfChunk(char c) {
    return isOfWord(c) || c == '.' || c == ':';
  }

  /** One scan of a text. */
  private final class Run {
    private final String text;
    private final Instant now = clock.instant();
    private final List<Found> found = new ArrayList<>();
    private final List<Reading.Span> nearMisses = new ArrayList<>();

    Run(String text) {
      this.text = text;
    }

    Scan scan() {
      int at = 0;
      while (at < text.length() && found.size() <= FOUND_MAX) {
        at = isOfChunk(text.charAt(at)) ? scanChunk(at) : at + separatorLength(at);
      }
      boolean isTruncated = found.size() > FOUND_MAX;
      return new Scan(
          found.subList(0, Math.min(found.size(), FOUND_MAX)), isTruncated, nearestMiss());
    }

    /** The length of a character that is in no identifier, or of the escape that it begins. */
    private int separatorLength(int at) {
      Matcher escape = ESCAPE.matcher(text).region(at, Math.min(text.length(), at + ESCAPE_MAX));
      return escape.lookingAt() ? escape.end() - at : 1;
    }

    /** Scans what may be a pURI or an address, and returns where it ends. */
    private int scanChunk(int start) {
      int end = start;
      boolean isWord = true;
      while (end < text.length() && isOfChunk(text.charAt(end))) {
        isWord &= isOfWord(text.charAt(end));
        end++;
      }
      if (isWord || end - start > Inspector.LENGTH_MAX + 1 || !scanWide(start, end)) {
        int at = start;
        while (at < end && found.size() <= FOUND_MAX) {
          int first = at;
          while (at < end && isOfWord(text.charAt(at))) {
            at++;
          }
          scanWord(first, at);
          at++;
        }
      }
      return end;
    }

    /** Finds an identifier with colons or dots. */
    private boolean scanWide(int start, int last) {
      int end = last;
      while (end > start && text.charAt(end - 1) == '.') {
        end--;
      }
      String wide = text.substring(start, end);
      if (wide.length() <= Inspector.LENGTH_MAX && formats.isDistinctive(wide, now)) {
        return add(start, end);
      }
      Matcher ipv4 = IPV4.matcher(wide);
      if (ipv4.matches()) {
        String address = ipv4.group(1);
        return isValue.test(address) && add(start, start + address.length());
      }
      if (mayBeIpv6(wide) && isValue.test(wide)) {
        return add(start, end);
      }
      while (end > start && text.charAt(end - 1) == ':') {
        end--;
      }
      String trimmed = text.substring(start, end);
      boolean isUrn = Notation.URN.decode(trimmed).isPresent();
      return (isUrn || isDistinctivePuri(trimmed)) && add(start, end);
    }

    private boolean isDistinctivePuri(String wide) {
      char separator = wide.indexOf(':') >= 0 ? ':' : '.';
      int second = wide.indexOf(separator, wide.indexOf(separator) + 1);
      if (second < 0 || second + 1 == wide.length()) {
        return false;
      }
      Optional<Puri> puri = puris.tryParse(wide);
      if (puri.isPresent() && puris.collection(puri.get()).isPresent()) {
        return true;
      }
      return Distinctive.is(wide.substring(second + 1), now)
          && PuriReading.of(wide, now, Optional.of(puris), formats).size() > 1;
    }

    /** Finds the identifiers in a run of letters, digits, hyphens and underscores. */
    private void scanWord(int start, int end) {
      if (scanPart(start, end)) {
        return;
      }
      int at = start;
      Matcher uuid = UUID.matcher(text).region(start, end);
      while (uuid.find()) {
        scanParts(at, uuid.start(), '-');
        add(uuid.start(), uuid.end());
        at = uuid.end();
      }
      scanParts(at, end, '-');
    }

    /** Scans what is between hyphens; if that is no identifier, what is between underscores. */
    private void scanParts(int start, int end, char separator) {
      int at = start;
      while (at < end && found.size() <= FOUND_MAX) {
        int first = at;
        while (at < end && text.charAt(at) != separator) {
          at++;
        }
        if (!scanPart(first, at) && separator == '-') {
          scanParts(first, at, '_');
        }
        at++;
      }
    }

    private boolean scanPart(int start, int end) {
      int length = end - start;
      if (length < LENGTH_MIN || length > Inspector.LENGTH_MAX || !hasDigit(start, end)) {
        return false;
      }
      String part = text.substring(start, end);
      boolean isFound =
          (collectionOf(part).isPresent()
                  || formats.isDistinctive(part, now)
                  || Distinctive.is(part, now))
              && add(start, end);
      if (!isFound && length >= MISS_LENGTH_MIN && nearMisses.size() < FOUND_MAX) {
        nearMisses.add(new Reading.Span(start, end));
      }
      return isFound;
    }

    private boolean hasDigit(int start, int end) {
      for (int i = start; i < end; i++) {
        if (isDigit(text.charAt(i))) {
          return true;
        }
      }
      return false;
    }

    private boolean add(int start, int end) {
      String id = text.substring(start, end);
      List<Reading> readings = Inspector.inspect(id, () -> now, puris, formats);
      Optional<CollectionSpec> collection =
          puris.tryParse(id).flatMap(puris::collection).or(() -> collectionOf(id));
      found.add(new Found(start, end, id, readings, collection));
      return true;
    }

    private Optional<Miss> nearestMiss() {
      if (!found.isEmpty()) {
        return Optional.empty();
      }
      return nearMisses.stream()
          .min(Comparator.comparingInt(span -> NearestMiss.errors(textOf(span))))
          .or(this::wholeText)
          .map(
              span ->
                  new Miss(span.first(), span.end(), textOf(span), NearestMiss.of(textOf(span))));
    }

    private Optional<Reading.Span> wholeText() {
      String stripped = text.strip();
      int start = text.indexOf(stripped);
      return stripped.isEmpty() || stripped.length() > Inspector.LENGTH_MAX
          ? Optional.empty()
          : Optional.of(new Reading.Span(start, start + stripped.length()));
    }

    private String textOf(Reading.Span span) {
      return text.substring(span.first(), span.end());
    }
  }
}
