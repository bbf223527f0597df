package dev.mintmark;

import java.util.UUID;

/**
 * The value of an identifier in a column, in the compact form for the database. {@link
 * Object#toString} returns only the value.
 *
 * <p>Immutable and thread-safe.
 *
 * @see Puris#toStored
 */
public sealed interface ColumnValue {
  /** The type of a column for it. */
  Kind.Storage storage();

  /** The value as JDBC sets and gets it: a {@link UUID}, a {@link Long} or a {@link String}. */
  Object toObject();

  /** 16 bytes. */
  record Uuid(UUID value) implements ColumnValue {
    @Override
    public Kind.Storage storage() {
      return Kind.Storage.UUID;
    }

    @Override
    public Object toObject() {
      return value;
    }

    @Override
    public String toString() {
      return value.toString();
    }
  }

  /** 8 bytes. */
  record Bigint(long value) implements ColumnValue {
    @Override
    public Kind.Storage storage() {
      return Kind.Storage.BIGINT;
    }

    @Override
    public Object toObject() {
      return value;
    }

    @Override
    public String toString() {
      return Long.toString(value);
    }
  }

  /**
   * Characters.
   *
   * @param value a text that PostgreSQL can store: Unicode without U+0000
   */
  record Text(String value) implements ColumnValue {
    /**
     * Checks the text.
     *
     * @throws MalformedIdException if it contains U+0000 or half of a surrogate pair
     */
    public Text {
      int misfit = misfit(value);
      if (misfit < value.length()) {
        throw Malformed.because(
            "identifier",
            value,
            Malformed.character(value, misfit) + " cannot be stored in a text column");
      }
    }

    /** The index of the first U+0000 or half of a pair; the length if there is none. */
    private static int misfit(String value) {
      int i = 0;
      while (i < value.length()) {
        int c = value.codePointAt(i);
        if (c == 0 || Character.getType(c) == Character.SURROGATE) {
          return i;
        }
        i += Character.charCount(c);
      }
      return i;
    }

    @Override
    public Kind.Storage storage() {
      return Kind.Storage.TEXT;
    }

    @Override
    public Object toObject() {
      return value;
    }

    @Override
    public String toString() {
      return value;
    }
  }
}
