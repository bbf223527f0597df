package dev.mintmark;

import java.math.BigInteger;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Interprets an identifier that was found in a log, a table or a URL: returns every plausible
 * {@linkplain Reading reading}, the most likely first.
 *
 * <p>It reads these kinds, in the letter case that their specification allows:
 *
 * <ul>
 *   <li>ULIDs and UUIDs, as 26 characters, hyphenated, as 32 hexadecimal digits, in braces, after
 *       {@code urn:uuid:}, as pairs of hexadecimal digits, as a binary, octal or decimal number, or
 *       as base64 of either alphabet; since both are 128 bits, one may be the other;
 *   <li>TypeIDs, KSUIDs, Xids, ObjectIds, TSIDs and NanoIDs of 21 characters;
 *   <li>CUIDs, SCRU128, Timeflake, push ids of Firebase, TIDs of the AT Protocol, digests, IP and
 *       MAC addresses, ISBN and others;
 *   <li>pURIs, and compact ones, with the readings of their identifiers;
 *   <li>numbers: Snowflakes of Twitter, Discord, Instagram and Sony, TSIDs, seconds to nanoseconds
 *       since 1970, and those of a sequence, also with leading zeros and after a prefix: {@code
 *       PM000123};
 *   <li>formats that a catalog declares, with its {@link DeclaredFormats};
 *   <li>the faces of a {@link Mask}, of which it can read only the name of the key;
 *   <li>any of these after a prefix ({@code user_01FZG96YPZK4SANAG1ZM5T2K9Z}), and keys with only a
 *       readable prefix ({@code cus_NffrFeUfNV2Hib}).
 * </ul>
 *
 * <p>It also finds the identifier in what people copy: with white space, quotes or brackets around
 * it, in {@code ObjectId("...")}, after {@code 0x} or {@code \\x}, or as a part of a URL. A text of
 * more than {@value #LENGTH_MAX} characters has no reading.
 *
 * <pre>{@code
 * Reading likely = Inspector.inspect("017fe093-7adf-9932-aaaa-01fd0ba14d3f").get(0);
 * likely.kind();    // "ulid"
 * likely.time();    // 2022-03-31T15:23:55.999Z
 * likely.reason();  // "this kind, among others, is written as 32 hexadecimal digits with hyphens, ..."
 * }</pre>
 */
public final class Inspector {
  /** The most characters of a text; a longer one is not an identifier. */
  public static final int LENGTH_MAX = 255;

  /** The highest integer that JavaScript represents exactly with all below it: 2^53-1. */
  private static final BigInteger JAVASCRIPT_MAX = BigInteger.valueOf((1L << 53) - 1);

  /** The prefix before the text; usually empty. */
  private final String prefix;

  private final String text;
  private final Instant now;

  private Inspector(String prefix, String text, Instant now) {
    this.prefix = prefix;
    this.text = text;
    this.now = now;
  }

  /** Returns the readings of {@code text}, the most likely first; none if it cannot be read. */
  public static List<Reading> inspect(String text) {
    return inspect(text, InstantSource.system());
  }

  /**
   * Returns the readings of {@code text} at the time of the clock, which separates past and future.
   */
  public static List<Reading> inspect(String text, InstantSource clock) {
    return inspect(text, clock, Optional.empty(), DeclaredFormats.NONE);
  }

  /**
   * Returns the readings of {@code text}, also of a compact pURI of the collections of a catalog.
   */
  public static List<Reading> inspect(String text, InstantSource clock, Puris puris) {
    return inspect(text, clock, puris, DeclaredFormats.NONE);
  }

  /**
   * Returns the readings of {@code text}, also of a compact pURI of the collections of a catalog
   * and of the formats that it declares.
   */
  public static List<Reading> inspect(
      String text, InstantSource clock, Puris puris, DeclaredFormats formats) {
    return inspect(text, clock, Optional.of(puris), formats);
  }

  private static List<Reading> inspect(
      String text, InstantSource clock, Optional<Puris> puris, DeclaredFormats formats) {
    if (text.length() > LENGTH_MAX) {
      return List.of();
    }
    Instant now = clock.instant();
    for (Pasted pasted : Pasted.of(text)) {
      List<Reading> readings = readings(pasted.text(), now, formats);
      if (readings.isEmpty()) {
        readings = PuriReading.of(pasted.text(), now, puris, formats);
      }
      if (!readings.isEmpty()) {
        return readings.stream().map(reading -> reading.shifted(pasted.start())).toList();
      }
    }
    return List.of();
  }

  /**
   * Returns why {@link #inspect} has no reading of {@code text}: the kind to which it comes
   * nearest, and the first character that is wrong there, counted from 0.
   */
  public static String nearestMiss(String text) {
    return NearestMiss.of(text);
  }

  /**
   * Returns a text without white space, quotes, brackets and names of types around it, as in {@code
   * "uuid '017fe093-7adf-9932-aaaa-01fd0ba14d3f'"}.
   */
  public static String unwrapped(String text) {
    return Pasted.innermost(text).text();
  }

  /** Returns the readings of a text with nothing around it. */
  static List<Reading> readings(String text, Instant now, DeclaredFormats formats) {
    List<Ranking.Ranked> ranked = Ranking.of(text, now, formats);
    Inspector inspector = new Inspector("", text, now);
    List<Reading> readings = ranked.stream().map(inspector::reading).toList();
    boolean isLoose = ranked.stream().allMatch(one -> one.evidence() == Evidence.SHAPE);
    return isLoose
        ? Stream.concat(behindPrefix(text, now).stream(), readings.stream()).toList()
        : readings;
  }

  private static List<Reading> behindPrefix(String text, Instant now) {
    Optional<PrefixedKey> key = PrefixedKey.tryParse(text);
    if (key.isEmpty()) {
      return List.of();
    }
    List<Reading> readings = new Inspector(key.get().prefix(), key.get().rest(), now).readings();
    return readings.isEmpty() ? key.get().reading().stream().toList() : readings;
  }

  /** Returns the layout and the number of the reading that is first, without those of a mask. */
  static Optional<Ranking.Ranked> first(String text, Instant now) {
    if (text.length() > LENGTH_MAX) {
      return Optional.empty();
    }
    return new Inspector("", text, now)
        .ranked()
        .or(
            () ->
                PrefixedKey.tryParse(text)
                    .flatMap(key -> new Inspector(key.prefix(), key.rest(), now).ranked()));
  }

  private Optional<Ranking.Ranked> ranked() {
    return Ranking.of(text, now).stream()
        .filter(ranked -> isRead(ranked) && ranked.layout().isConvertible())
        .filter(ranked -> ranked.evidence() != Evidence.SHAPE)
        .findFirst();
  }

  private List<Reading> readings() {
    return Ranking.of(text, now).stream().filter(this::isRead).map(this::reading).toList();
  }

  /** Reads no second prefix: {@code sk_test_NotARealKey0123456789} is a key, not a number. */
  private boolean isRead(Ranking.Ranked ranked) {
    return prefix.isEmpty()
        || (ranked.notation() != Notation.PADDED_NUMBER
            && ranked.evidence() != Evidence.CHECK
            && ranked.evidence() != Evidence.SHAPE);
  }

  private Reading reading(Ranking.Ranked ranked) {
    Layout layout = ranked.layout();
    return new Reading(
        layout.kind(),
        (prefix.isEmpty() ? "" : "after the prefix " + prefix + " ") + ranked.reason(),
        layout.uuidVersion(),
        layout.time(ranked.number()),
        forms(ranked),
        fields(ranked),
        warnings(ranked));
  }

  private static Map<Form, String> forms(Ranking.Ranked ranked) {
    Map<Form, String> forms = new EnumMap<>(Form.class);
    for (Form form : Form.values()) {
      ranked.layout().write(ranked.number(), form).ifPresent(text -> forms.put(form, text));
    }
    return forms;
  }

  private List<Reading.Field> fields(Ranking.Ranked ranked) {
    List<Reading.Field> fields = new ArrayList<>();
    int first = 0;
    for (Layout.Value value : ranked.layout().values(ranked.number())) {
      Slot slot = value.slot();
      int end = first + slot.width();
      fields.add(
          new Reading.Field(
              slot.name(),
              new Reading.Span(first, end),
              ranked.codec().span(text, first, end).shifted(prefix.length()),
              value.number(),
              slot.meaning()));
      first = end;
    }
    return fields;
  }

  private List<String> warnings(Ranking.Ranked ranked) {
    Layout layout = ranked.layout();
    BigInteger number = ranked.number();
    List<String> warnings = new ArrayList<>();
    if (layout == UuidLayouts.UUID_V7_DRAFT) {
      warnings.add("the format is that of a draft of 2021, not the version 7 of RFC 9562");
    }
    if (layout == SortableLayouts.TYPEID_OF_OTHER_UUID) {
      warnings.add("the UUID does not have version 7, which a TypeID should have");
    }
    if (Notation.OF_UUID.contains(ranked.notation())) {
      warnOfUnknownUuid(warnings, Ulid.from(number));
    }
    String time = layout.time(number).map(Form::timeText).orElse("");
    if (layout.isFromFuture(number, now)) {
      warnings.add("the time " + time + " is in the future");
    }
    if (layout.isFromBefore(number)) {
      warnings.add("the time " + time + " is before identifiers of this kind existed");
    }
    if (layout.isFromAfter(number)) {
      warnings.add("the time " + time + " is after the last identifiers of this kind");
    }
    if (layout.hasNoRandomness(number)) {
      warnings.add("every random bit is zero");
    }
    if (prefix.isEmpty() && ranked.codec().isNumber() && number.compareTo(JAVASCRIPT_MAX) > 0) {
      warnings.add("JavaScript rounds numbers above 2^53-1: use text there and in JSON");
    }
    return warnings;
  }

  private static void warnOfUnknownUuid(List<String> warnings, Ulid bits) {
    UUID uuid = bits.toUuid();
    Layout layout = UuidLayouts.of(uuid);
    if (layout == UuidLayouts.UUID_OF_NO_VERSION) {
      warnings.add(
          Uuids.version(uuid) + " is not a version of RFC 9562: it only has the form of a UUID");
    }
    if (layout == UuidLayouts.UUID_OF_OTHER_VARIANT) {
      warnings.add("the variant is not that of RFC 9562: it only has the form of a UUID");
    }
  }
}
