package dev.mintmark;

import java.util.UUID;

/**
 * How the identifiers of a collection are written: which texts stand for which value, and which of
 * them is the canonical one. The one place that knows this for every kind.
 *
 * <p>Reading forgives what cannot name another identifier: letter case where the kind has none,
 * another text of the same 128 bits, zeros before the number of a sequence. So a pURI is still read
 * after its collection has changed its width.
 */
sealed interface IdNotation {
  /** The notation that a collection declares. */
  static IdNotation of(CollectionSpec collection) {
    String prefix = collection.prefix().orElse("");
    return switch (collection.kind()) {
      case ULID, UUIDV7, UUIDV4 -> new Bits(collection.kind().form().orElseThrow());
      case TYPEID -> new Typed(prefix);
      case SEQUENCE -> new Counted(new SequenceId.Format(prefix, collection.width()));
      case SNOWFLAKE -> new Timed();
      case NANOID, TEXT -> new Characters(collection.caseSensitive());
    };
  }

  /**
   * Reads an identifier, in any text that it has.
   *
   * @throws MalformedIdException if it is not of this kind
   */
  ColumnValue read(String text);

  /**
   * Writes the canonical text of a value, which is of the type that {@link #read} returns.
   *
   * @throws MalformedIdException if no identifier has it: a number of a sequence below zero
   */
  String write(ColumnValue value);

  /** The notation of the same values in compact pURIs. */
  IdNotation compact();

  /** 128 bits, which have the texts of a ULID and of a UUID, the latter also without hyphens. */
  record Bits(Form form) implements IdNotation {
    @Override
    public ColumnValue read(String text) {
      return new ColumnValue.Uuid(uuid(text));
    }

    @Override
    public String write(ColumnValue value) {
      return form.write(Ulid.of(((ColumnValue.Uuid) value).value()));
    }

    @Override
    public IdNotation compact() {
      return new Packed();
    }

    private static UUID uuid(String text) {
      return switch (text.length()) {
        case 26 -> Ulid.parse(text).toUuid();
        case 32 -> HexNotation.PLAIN.parse(text);
        case 36 -> Uuids.parse(text);
        default ->
            throw Malformed.because(
                "identifier",
                text,
                "it has "
                    + text.length()
                    + " characters: expected 26 of a ULID, or 36 or 32 of a UUID");
      };
    }
  }

  /** 128 bits as a TypeID, in either letter case; also as {@link Bits}. */
  record Typed(String prefix) implements IdNotation {
    @Override
    public ColumnValue read(String text) {
      boolean hasPrefix = text.indexOf('_') >= 0;
      return new ColumnValue.Uuid(
          hasPrefix ? TypeId.parse(prefix, AsciiCase.lower(text)).uuid() : Bits.uuid(text));
    }

    @Override
    public String write(ColumnValue value) {
      return TypeId.of(prefix, ((ColumnValue.Uuid) value).value()).toString();
    }

    @Override
    public IdNotation compact() {
      return new Packed();
    }
  }

  /** 128 bits in 22 characters. */
  record Packed() implements IdNotation {
    @Override
    public ColumnValue read(String text) {
      return new ColumnValue.Uuid(Base64Url.read(text).toUuid());
    }

    @Override
    public String write(ColumnValue value) {
      return Base64Url.write(Ulid.of(((ColumnValue.Uuid) value).value()));
    }

    @Override
    public IdNotation compact() {
      return this;
    }
  }

  /** The number of a sequence, with any zeros before it. */
  record Counted(SequenceId.Format format) implements IdNotation {
    @Override
    public ColumnValue read(String text) {
      return new ColumnValue.Bigint(format.parsePadded(text).number());
    }

    @Override
    public String write(ColumnValue value) {
      long number = ((ColumnValue.Bigint) value).value();
      if (number < 0) {
        throw new MalformedIdException(
            "malformed sequence id: its number is " + number + ": expected 0 to " + Long.MAX_VALUE);
      }
      return format.of(number).toString();
    }

    @Override
    public IdNotation compact() {
      return new Counted(new SequenceId.Format("", 0));
    }
  }

  /** A Snowflake: 64 bits as a decimal number. */
  record Timed() implements IdNotation {
    @Override
    public ColumnValue read(String text) {
      return new ColumnValue.Bigint(Snowflake.parse(text).toLong());
    }

    @Override
    public String write(ColumnValue value) {
      return Snowflake.of(((ColumnValue.Bigint) value).value()).toString();
    }

    @Override
    public IdNotation compact() {
      return this;
    }
  }

  /** Characters that mean nothing to us, but for the case of ASCII letters. */
  record Characters(boolean caseSensitive) implements IdNotation {
    @Override
    public ColumnValue read(String text) {
      return new ColumnValue.Text(caseSensitive ? text : AsciiCase.lower(text));
    }

    @Override
    public String write(ColumnValue value) {
      String text = ((ColumnValue.Text) value).value();
      return caseSensitive ? text : AsciiCase.lower(text);
    }

    @Override
    public IdNotation compact() {
      return this;
    }
  }
}
