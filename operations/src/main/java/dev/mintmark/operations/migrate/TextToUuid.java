package dev.mintmark.operations.migrate;

import dev.mintmark.operations.internal.schema.Column;
import dev.mintmark.operations.migrate.KeyTexts.Way;
import java.util.Optional;

/**
 * Texts of ULIDs or UUIDs that become uuid.
 *
 * @param form what most of the texts are, and new ones become
 * @param lower whether these are in small letters
 * @param exact whether each identifier is written in one way only
 * @param invalid what becomes of other texts
 */
record TextToUuid(Form form, boolean lower, boolean exact, InvalidValues invalid)
    implements Conversion {
  /** What a text spells, and how. */
  enum Form {
    ULID(26, "mintmark.ulid_text(%s)", false),
    UUID(36, "%s::text", true),
    UUID_WITHOUT_HYPHENS(32, "pg_catalog.encode(pg_catalog.uuid_send(%s), 'hex')", true);

    private final int length;
    private final String text;
    private final boolean lower;

    Form(int length, String text, boolean lower) {
      this.length = length;
      this.text = text;
      this.lower = lower;
    }

    /** Returns the number of characters of every text in this form. */
    int length() {
      return length;
    }

    /** Writes a uuid in this form, in capitals if it is a ULID, otherwise in small letters. */
    String text(String uuid) {
      return text.formatted(uuid);
    }

    private String text(String uuid, boolean inLower) {
      return lower == inLower
          ? text(uuid)
          : "pg_catalog.%s(%s)".formatted(inLower ? "lower" : "upper", text(uuid));
    }

    /** Returns the same identifiers in a form of at most so many characters, if there is one. */
    private Form within(int characters) {
      return this == UUID && characters < length && characters >= UUID_WITHOUT_HYPHENS.length
          ? UUID_WITHOUT_HYPHENS
          : this;
    }
  }

  private static final String UUID_DIGITS =
      "pg_catalog.lower(pg_catalog.replace(pg_catalog.btrim(%s, ' {}'), '-', ''))";

  private static final String ULID_DIGITS =
      "pg_catalog.translate(pg_catalog.upper(pg_catalog.replace(pg_catalog.btrim(%s), '-', '')), 'ILO', '110')";

  /** The 16 bytes that a text hashes to, with the bits of a UUIDv8 (RFC 9562 section 5.8). */
  private static final String HASH =
      "pg_catalog.encode(pg_catalog.set_byte(pg_catalog.set_byte(substring(pg_catalog.sha256(pg_catalog.convert_to(%1$s, 'UTF8')) for 16), 6,"
          + " 128 | (pg_catalog.get_byte(pg_catalog.sha256(pg_catalog.convert_to(%1$s, 'UTF8')), 6) & 15)), 8,"
          + " 128 | (pg_catalog.get_byte(pg_catalog.sha256(pg_catalog.convert_to(%1$s, 'UTF8')), 8) & 63)), 'hex')::uuid";

  /** As most of the texts of columns are written. */
  static TextToUuid of(KeyTexts texts, Form ifEmpty, InvalidValues invalid) {
    Optional<Way> commonest = texts.commonest();
    Form form =
        commonest
            .flatMap(Way::form)
            .orElseGet(() -> texts.hasUlids() ? Form.ULID : texts.hasUuids() ? Form.UUID : ifEmpty)
            .within(texts.room());
    boolean lower = commonest.map(Way::isLower).orElse(form.lower);
    long others = texts.count() - commonest.map(texts::count).orElse(0L);
    return new TextToUuid(form, lower, texts.invalid().isEmpty() && others == 0, invalid);
  }

  @Override
  public String type() {
    return "uuid";
  }

  @Override
  public String toNew(String old) {
    String text = text(old);
    if (form != Form.ULID) {
      String digits = spelling(old);
      return invalid == InvalidValues.QUARANTINE
          ? "case when %1$s ~* '^[0-9a-f]{32}$' then %1$s::uuid else %2$s end"
              .formatted(digits, HASH.formatted(text))
          : invalid == InvalidValues.NORMALISE ? digits + "::uuid" : text + "::uuid";
    }
    String digits = spelling(old);
    return switch (invalid) {
      case REFUSE -> "mintmark.ulid_uuid(%s)".formatted(text);
      case NORMALISE -> "mintmark.ulid_uuid(%s)".formatted(digits);
      case QUARANTINE ->
          "coalesce(mintmark.try_ulid_uuid(%s), %s)".formatted(digits, HASH.formatted(text));
    };
  }

  /**
   * What two texts of one identifier have in common, and others have not; without functions of
   * ours.
   */
  String spelling(String old) {
    return (form == Form.ULID ? ULID_DIGITS : UUID_DIGITS).formatted(text(old));
  }

  /** Not every function accepts texts of a nondeterministic collation. */
  static String text(String old) {
    return "(" + old + "::text collate pg_catalog.\"C\")";
  }

  @Override
  public String toOld(String value, Column column) {
    return form.text(value, lower);
  }

  @Override
  public int charactersMax() {
    return form.length();
  }

  /** Whether texts that spell nothing are kept. */
  boolean quarantines() {
    return invalid == InvalidValues.QUARANTINE;
  }

  /** Whether a new value was made of a text that spells nothing. */
  String isQuarantined(String old, String value) {
    return "%s = %s".formatted(value, HASH.formatted(text(old)));
  }

  @Override
  public boolean keepsOldShape() {
    return true;
  }

  @Override
  public boolean outgrows() {
    return false;
  }

  @Override
  public int bytes() {
    return Long.BYTES * 2;
  }
}
