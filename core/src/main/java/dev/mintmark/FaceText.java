package dev.mintmark;

import dev.mintmark.Digits.Alphabet;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/** The text of a face: the name of a key and a block. */
sealed interface FaceText {
  /** Returns the text of faces of a collection. */
  static FaceText of(CollectionSpec.Face face) {
    return switch (face.shape()) {
      case LONG -> new Prefixed(face.mask() + "_", false);
      case SHORT -> new Prefixed(face.mask() + "_", true);
      case UUID -> new AsUuid();
    };
  }

  /** Writes a face. */
  String write(char key, Ulid block);

  /** Returns why a text cannot be a face, whatever its key and its block; empty if it can. */
  Optional<MalformedIdException> misfit(String face);

  /** The name of the key in a text that is no {@link #misfit}, in lower case. */
  char key(String face);

  /** The block in a text that is no {@link #misfit}; empty if it is malformed. */
  Optional<Ulid> block(String face);

  /** Returns why there is no {@link #block}. */
  MalformedIdException malformedBlock(String face);

  /** Returns why a text that names an unknown key is refused. */
  MalformedIdException unknownKey(String face, String known);

  /** For people: what all texts have in common. */
  @Override
  String toString();

  /**
   * A prefix, a digit, and 26 digits of 128 bits or 13 digits of 64.
   *
   * @param prefix with its underscore
   */
  record Prefixed(String prefix, boolean isShort) implements FaceText {
    @Override
    public String write(char key, Ulid block) {
      String digits = isShort ? Tsid.of(block.leastSignificantBits()).toString() : block.toString();
      return prefix + key + digits.toLowerCase(Locale.ROOT);
    }

    @Override
    public Optional<MalformedIdException> misfit(String face) {
      int length = prefix.length() + 1 + (isShort ? Tsid.DIGITS.length() : Crockford32.LENGTH);
      if (face.length() != length) {
        return Optional.of(Malformed.length("face", face, length));
      }
      return AsciiCase.lower(face.substring(0, prefix.length())).equals(prefix)
          ? Optional.empty()
          : Optional.of(Malformed.because("face", face, "expected it to start with " + prefix));
    }

    @Override
    public char key(String face) {
      return AsciiCase.lower(face.charAt(prefix.length()));
    }

    @Override
    public Optional<Ulid> block(String face) {
      int first = prefix.length() + 1;
      return isShort
          ? Tsid.tryParse(face.substring(first)).map(digits -> Ulid.of(0, digits.toLong()))
          : Crockford32.decode(face, first);
    }

    @Override
    public MalformedIdException malformedBlock(String face) {
      int first = prefix.length() + 1;
      return isShort
          ? Tsid.malformed("face", face, first)
          : Crockford32.malformed("face", face, first);
    }

    @Override
    public MalformedIdException unknownKey(String face, String known) {
      return Malformed.character(
          "face", face, prefix.length(), "the name of a key: expected one of " + known);
    }

    @Override
    public String toString() {
      return prefix;
    }
  }

  /**
   * A UUIDv8, whose 122 bits are the value of the digit of the key and 117 bits of the block.
   *
   * <pre>
   *   bits   0     5            48  52        64  66              128
   *          | key |   block    | 8 |  block  | 2 |     block      |
   * </pre>
   *
   * @see <a href="https://www.rfc-editor.org/rfc/rfc9562#section-5.8">RFC 9562 section 5.8</a>
   */
  record AsUuid() implements FaceText {
    /** The bits of the block. */
    static final int BLOCK_BITS = 117;

    private static final int VERSION = 8;
    private static final int KEY_SHIFT = 53;
    private static final long BLOCK_HIGH = (1L << KEY_SHIFT) - 1;
    private static final int LAST_BITS = 62;
    private static final long LAST = (1L << LAST_BITS) - 1;

    @Override
    public String write(char key, Ulid block) {
      long custom = (long) Alphabet.CROCKFORD.value(key) << KEY_SHIFT | block.mostSignificantBits();
      long low = block.leastSignificantBits();
      long second = (custom & 0x3FF) << 2 | low >>> LAST_BITS;
      return new UUID(
              custom >>> 10 << 16 | VERSION << 12 | second,
              (long) Uuids.RFC_VARIANT << LAST_BITS | (low & LAST))
          .toString();
    }

    @Override
    public Optional<MalformedIdException> misfit(String face) {
      return uuid(face).isPresent()
          ? Optional.empty()
          : Optional.of(Malformed.because("face", face, "expected a UUID of version 8"));
    }

    @Override
    public char key(String face) {
      int digit = (int) (uuid(face).orElseThrow().getMostSignificantBits() >>> 59);
      return AsciiCase.lower((char) Alphabet.CROCKFORD.digit(digit));
    }

    @Override
    public Optional<Ulid> block(String face) {
      UUID uuid = uuid(face).orElseThrow();
      long high = uuid.getMostSignificantBits();
      long custom = high >>> 16 << 10 | (high & 0xFFF) >>> 2;
      return Optional.of(
          Ulid.of(
              custom & BLOCK_HIGH, high << LAST_BITS | (uuid.getLeastSignificantBits() & LAST)));
    }

    @Override
    public MalformedIdException malformedBlock(String face) {
      throw new IllegalStateException("all bits of a UUIDv8 are a block");
    }

    @Override
    public MalformedIdException unknownKey(String face, String known) {
      return Malformed.because(
          "face", face, "it names key '" + key(face) + "': expected one of " + known);
    }

    @Override
    public String toString() {
      return "uuid";
    }

    private static Optional<UUID> uuid(String face) {
      return Uuids.tryParse(face)
          .filter(
              uuid -> Uuids.version(uuid) == VERSION && Uuids.variant(uuid) == Uuids.RFC_VARIANT);
    }
  }
}
