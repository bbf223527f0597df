package dev.mintmark;

import java.util.UUID;

/**
 * How the identifiers of a collection are written: which texts stand for which value, and which of
 * them is the canonical one. The one place that knows this for every kind.
 *
 * <p>Reading forgives what cannot name another identifier: letter case where the kind has none,
 * another text of the same 128 bits, zeros before a number. So a pURI is still read after its
 * collection has changed its width.
 */
sealed interface IdNotation {
  /** The notation that a collection declares. */
  static IdNotation of(CollectionSpec collection) {
    return switch (collection.kind()) {
      case ULID, UUIDV7, UUIDV4 -> new Bits(collection.kind().form().orElseThrow());
      case TYPEID -> new Typed(collection.prefix().map(prefix -> prefix + "_").orElse(""));
      case SEQUENCE, SNOWFLAKE -> new Counted(collection.prefix().orElse(""), collection.width());
      case NANOID, TEXT -> new Characters(collection.caseSensitive());
    };
  }

  /**
   * Reads an identifier, in any text that it has.
   *
   * @throws MalformedIdException if it is not of this kind
   */
  Stored read(String text);

  /**
   * Writes the canonical text of a value that {@link #read} can return.
   *
   * @throws MalformedIdException if it is a number below zero
   */
  String write(Stored value);

  /** 128 bits, which have the texts of a ULID and of a UUID, the latter also without hyphens. */
  record Bits(Form form) implements IdNotation {
    @Override
    public Stored read(String text) {
      return new Stored.Uuid(uuid(text));
    }

    @Override
    public String write(Stored value) {
      return form.write(Ulid.of(((Stored.Uuid) value).value()));
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

  /**
   * 128 bits in lower-case base 32 behind the name of their type.
   *
   * @param head the name of the type and the underscore behind it; empty if it has no name
   */
  record Typed(String head) implements IdNotation {
    @Override
    public Stored read(String text) {
      boolean hasHead = AsciiCase.lower(text).startsWith(head);
      String bits = hasHead ? text.substring(head.length()) : text;
      if (bits.indexOf('_') >= 0) {
        throw Malformed.because("TypeID", text, "expected the prefix " + Quoted.of(head));
      }
      return new Stored.Uuid(Bits.uuid(bits));
    }

    @Override
    public String write(Stored value) {
      return head + Form.LOWER.write(Ulid.of(((Stored.Uuid) value).value()));
    }
  }

  /** A number from 0 to 2^63-1 behind a prefix, with zeros before it up to a width. */
  record Counted(String prefix, int width) implements IdNotation {
    private static final String WHAT = "number";

    @Override
    public Stored read(String text) {
      if (!AsciiCase.lower(text).startsWith(AsciiCase.lower(prefix))) {
        throw Malformed.because(WHAT, text, "expected the prefix " + Quoted.of(prefix));
      }
      return new Stored.Bigint(number(text, prefix.length()));
    }

    @Override
    public String write(Stored value) {
      long number = ((Stored.Bigint) value).value();
      if (number < 0) {
        throw new MalformedIdException(
            "malformed number: it is " + number + ": expected 0 to " + Long.MAX_VALUE);
      }
      String digits = Long.toString(number);
      return prefix + "0".repeat(Math.max(0, width - digits.length())) + digits;
    }

    private static long number(String text, int start) {
      if (start == text.length()) {
        throw Malformed.because(WHAT, text, "it has no digits");
      }
      long number = 0;
      for (int i = start; i < text.length(); i++) {
        int digit = text.charAt(i) - '0';
        if (digit < 0 || digit > 9) {
          throw Malformed.character(WHAT, text, i, "a digit");
        }
        if (number > (Long.MAX_VALUE - digit) / 10) {
          throw Malformed.because(WHAT, text, "it exceeds " + Long.MAX_VALUE);
        }
        number = 10 * number + digit;
      }
      return number;
    }
  }

  /** Characters that mean nothing to us, but for the case of ASCII letters. */
  record Characters(boolean caseSensitive) implements IdNotation {
    @Override
    public Stored read(String text) {
      return new Stored.Text(caseSensitive ? text : AsciiCase.lower(text));
    }

    @Override
    public String write(Stored value) {
      String text = ((Stored.Text) value).value();
      return caseSensitive ? text : AsciiCase.lower(text);
    }
  }
}
