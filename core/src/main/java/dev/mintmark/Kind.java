package dev.mintmark;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** How an identifier is made. */
public enum Kind {
  /** 48 bits of milliseconds and 80 random bits (the ULID specification). */
  ULID(Storage.UUID),
  /** 48 bits of milliseconds and 74 random bits (RFC 9562 section 5.7). */
  UUIDV7(Storage.UUID),
  /** 122 random bits (RFC 9562 section 5.4). */
  UUIDV4(Storage.UUID),
  /** The next number of a database sequence, shown with a prefix: {@code PM000123}. */
  SEQUENCE(Storage.BIGINT),
  /** Random characters of an alphabet. */
  NANOID(Storage.TEXT),
  /** Milliseconds, a node number and a counter in 63 bits. */
  SNOWFLAKE(Storage.BIGINT),
  /** A UUIDv7 in base 32 behind the name of its type. */
  TYPEID(Storage.UUID),
  /** An opaque text that somebody else made. */
  TEXT(Storage.TEXT);

  /** What a column holds. */
  public enum Storage {
    /** 16 bytes. */
    UUID,
    /** 8 bytes. */
    BIGINT,
    /** Characters. */
    TEXT;

    /** The name by which catalogs and answers call this storage: {@code bigint}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Storage storage;

  Kind(Storage storage) {
    this.storage = storage;
  }

  /** What a column of this kind holds unless it was declared otherwise. */
  public Storage storage() {
    return storage;
  }

  /** The form of its plain text; empty for the kinds whose plain text is no {@link Form}. */
  public Optional<Form> form() {
    return switch (this) {
      case ULID -> Optional.of(Form.TEXT);
      case UUIDV7, UUIDV4 -> Optional.of(Form.UUID);
      case SEQUENCE, NANOID, SNOWFLAKE, TYPEID, TEXT -> Optional.empty();
    };
  }

  /** The name by which catalogs, commands and requests call this kind: {@code uuidv7}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the kind called {@code label}, in lower case.
   *
   * @throws IllegalArgumentException if there is none; the message lists those there are
   */
  public static Kind parse(String label) {
    return tryParse(label)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown kind " + Quoted.of(label) + ": expected one of " + labels()));
  }

  /** Returns the kind called {@code label}, or empty if there is none. */
  public static Optional<Kind> tryParse(String label) {
    return Arrays.stream(values()).filter(kind -> kind.label().equals(label)).findFirst();
  }

  private static String labels() {
    return Arrays.stream(values()).map(Kind::label).collect(Collectors.joining(", "));
  }
}
