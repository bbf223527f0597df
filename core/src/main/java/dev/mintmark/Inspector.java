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

/**
 * Takes an identifier apart that somebody found in a log, a table or a URL: every plausible
 * {@linkplain Reading reading} of it, the most likely first.
 *
 * <p>It reads, each in the letter case that its specification allows:
 *
 * <ul>
 *   <li>ULIDs and UUIDs, as 26 characters, hyphenated, as 32 hexadecimal digits, in braces, behind
 *       {@code urn:uuid:}, as a decimal number or as base64url; each may turn out to be the other
 *       one, for both are 128 bits;
 *   <li>TypeIDs, KSUIDs, Xids, ObjectIds and TSIDs;
 *   <li>numbers: Snowflakes of Twitter, Discord, Instagram and Sony, TSIDs, seconds to nanoseconds
 *       since 1970, and those of a sequence, also with leading zeros and behind a prefix: {@code
 *       PM000123};
 *   <li>the faces of a {@link Mask}, of which it can tell no more than the name of the key;
 *   <li>any of these behind a prefix ({@code user_01FZG96YPZK4SANAG1ZM5T2K9Z}), and keys of which
 *       only the prefix can be read ({@code cus_NffrFeUfNV2Hib}).
 * </ul>
 *
 * <p>A text of more than {@value #LENGTH_MAX} characters has no reading.
 *
 * <pre>{@code
 * Reading likely = Inspector.inspect("017fe093-7adf-9932-aaaa-01fd0ba14d3f").get(0);
 * likely.kind();    // "ulid"
 * likely.time();    // 2022-03-31T15:23:55.999Z
 * likely.reason();  // "this kind, among others, is written as 32 hexadecimal digits with hyphens, ..."
 * }</pre>
 */
public final class Inspector {
  /** Characters of a text that are looked at; what is longer is no identifier. */
  public static final int LENGTH_MAX = 255;

  /** The highest integer that JavaScript counts to without leaving any out: 2^53-1. */
  private static final BigInteger JAVASCRIPT_MAX = BigInteger.valueOf((1L << 53) - 1);

  /** What stands before the text that is read; most often nothing. */
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
   * Returns the readings of {@code text} at the time of the clock, which tells past from future.
   */
  public static List<Reading> inspect(String text, InstantSource clock) {
    if (text.length() > LENGTH_MAX) {
      return List.of();
    }
    Instant now = clock.instant();
    List<Reading> readings = new Inspector("", text, now).readings();
    return readings.isEmpty() ? behindPrefix(text, now) : readings;
  }

  private static List<Reading> behindPrefix(String text, Instant now) {
    Optional<PrefixedKey> key = PrefixedKey.tryParse(text);
    if (key.isEmpty()) {
      return List.of();
    }
    List<Reading> readings = new Inspector(key.get().prefix(), key.get().rest(), now).readings();
    return readings.isEmpty() ? key.get().reading().stream().toList() : readings;
  }

  private List<Reading> readings() {
    return Ranking.of(text, now).stream().filter(this::isRead).map(this::reading).toList();
  }

  /** Not a second prefix: {@code sk_test_NotARealKey0123456789} is a key, and no number. */
  private boolean isRead(Ranking.Ranked ranked) {
    return prefix.isEmpty() || ranked.notation() != Notation.PADDED_NUMBER;
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
              ranked.notation().span(text, first, end).shifted(prefix.length()),
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
    if (layout == Layout.UUID_V7_DRAFT) {
      warnings.add("the format is that of a draft of 2021, not the version 7 of RFC 9562");
    }
    if (layout == Layout.TYPEID_OF_OTHER_UUID) {
      warnings.add("the UUID is no version 7, which a TypeID should have");
    }
    if (Notation.OF_UUID.contains(ranked.notation())) {
      warnOfUnknownUuid(warnings, Ulid.from(number));
    }
    String time = layout.time(number).map(Form::timeText).orElse("");
    if (layout.isFromFuture(number, now)) {
      warnings.add("the time " + time + " is in the future");
    }
    if (layout.isFromBefore(number)) {
      warnings.add("the time " + time + " is before there were identifiers of this kind");
    }
    if (layout.hasNoRandomness(number)) {
      warnings.add("every random bit is zero");
    }
    if (prefix.isEmpty() && ranked.notation().isNumber() && number.compareTo(JAVASCRIPT_MAX) > 0) {
      warnings.add("JavaScript rounds numbers above 2^53-1: keep it as a text there and in JSON");
    }
    return warnings;
  }

  private static void warnOfUnknownUuid(List<String> warnings, Ulid bits) {
    UUID uuid = bits.toUuid();
    switch (Layout.of(uuid)) {
      case UUID_OF_NO_VERSION ->
          warnings.add(Uuids.version(uuid) + " is not a version of RFC 9562: a UUID by look only");
      case UUID_OF_OTHER_VARIANT ->
          warnings.add("the variant is not that of RFC 9562: a UUID by look only");
      default -> {
        // Version and variant are in order.
      }
    }
  }
}
