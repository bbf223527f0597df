package dev.mintmark;

import java.util.UUID;

/**
 * What a column holds of an identifier: the small form that a database is good at. {@link
 * Object#toString} is the value alone.
 *
 * <p>Immutable, and so safe in any number of threads.
 *
 * @see Puris#toStored
 */
public sealed interface ColumnValue {
  /** What a column has to be to hold it. */
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
   * @param value what PostgreSQL can keep as {@code text}: Unicode without U+0000
   */
  record Text(String value) implements ColumnValue {
    /**
     * Takes a text.
     *
     * @throws MalformedIdException if U+0000 or half of a surrogate pair is in it
     */
    public Text {
      int misfit = misfit(value);
      if (misfit < value.length()) {
        throw Malformed.because(
            "identifier",
            value,
            Malformed.character(value, misfit) + " cannot be kept in a column of text");
      }
    }

    /** Where the first character is that is U+0000 or half of a pair; the length without one. */
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
