package dev.mintmark;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * A face of identifiers that hides when each was made and how many there are, and that gives
 * nothing to count through: the identifier, enciphered, behind a prefix.
 *
 * <pre>
 *   pay_a3wdgw0zrbmsq56da6a6w62jdy2
 *   |   ||
 *   |   |26 digits of Crockford's base 32, in lower case: one block of AES-256
 *   |   name of the key in the {@link Keyring}: one digit
 *   prefix
 *
 *   block of a number   |            id             |         64 bits of zero          |
 *   block of a UUID     |                            id                                |
 *   bits                0                           64                                128
 * </pre>
 *
 * <p><b>A number is sealed.</b> Whoever alters or makes up a face hits the 64 zero bits once in
 * 2^64 tries, so a forged one is refused without a look-up (encode-then-encipher: Bellare and
 * Rogaway, ASIACRYPT 2000). <b>A UUID is hidden only.</b> It fills the block, so every well-formed
 * text opens to some UUID: one that no row has, but that only a look-up can tell.
 *
 * <p><b>It protects against</b> reading the time or the number out of an identifier, comparing two
 * of them for order, estimating growth, trying neighbours, and linking rows of two collections by
 * their equal numbers. <b>It does not</b> stand in for a check of what a caller may see: whoever
 * was given a face has it for good, it does not expire, and the same identifier has the same face
 * each time. Who has the secret can open and make all faces, those of the past included.
 *
 * <p><b>Key.</b> Each is derived from a secret of the keyring, the width of the block and the key
 * label of the {@link CollectionSpec.Face} (HKDF with SHA-256, RFC 5869). The name of the
 * collection and the prefix have no part in it: to change them changes no block. The first secret
 * of the keyring makes new faces and all of them open, so after a rotation one row has two faces:
 * compare what they open to, never the texts.
 *
 * <p><b>Text.</b> Of one length for one prefix, safe in a URL, read in either letter case. Under
 * one key an identifier has exactly one, and the order of texts says nothing.
 *
 * <p>Immutable, safe in any number of threads, virtual ones among them. Make one for each
 * collection and keep it: the derivation of its keys is what takes time.
 *
 * <pre>{@code
 * Mask<Long> payments = Mask.ofNumbers(keyring, new CollectionSpec.Face("pay", "payments"));
 * String face = payments.show(123L);
 * payments.open(face);  // 123
 * }</pre>
 *
 * @param <T> the identifiers that it masks
 */
public final class Mask<T> {
  /** Stands before the key label when a key is derived; a change of it is another mask. */
  private static final String PURPOSE = "mintmark mask v1 %s %s";

  private final String prefix;

  /** The newest first. */
  private final List<Key> keys;

  private final Function<T, Ulid> toBlock;
  private final Function<Ulid, Optional<T>> fromBlock;

  private record Key(char name, AesBlock cipher) {}

  private Mask(
      Keyring keyring,
      CollectionSpec.Face face,
      String width,
      Function<T, Ulid> toBlock,
      Function<Ulid, Optional<T>> fromBlock) {
    this.prefix = face.mask() + "_";
    this.toBlock = toBlock;
    this.fromBlock = fromBlock;
    byte[] purpose = PURPOSE.formatted(width, face.keyLabel()).getBytes(StandardCharsets.US_ASCII);
    this.keys =
        keyring.keys().stream()
            .map(name -> new Key(name, new AesBlock(keyring.derive(name, purpose))))
            .toList();
  }

  /**
   * Returns the mask of a collection that stores {@code bigint}: sequences and Snowflakes. Any 64
   * bits can be sealed, negative numbers too.
   */
  public static Mask<Long> ofNumbers(Keyring keyring, CollectionSpec.Face face) {
    return new Mask<>(
        keyring,
        face,
        "64",
        number -> Ulid.of(number, 0),
        block ->
            block.leastSignificantBits() == 0
                ? Optional.of(block.mostSignificantBits())
                : Optional.empty());
  }

  /** Returns the mask of a collection that stores {@code uuid}, whichever version they are of. */
  public static Mask<UUID> ofUuids(Keyring keyring, CollectionSpec.Face face) {
    return new Mask<>(keyring, face, "128", Ulid::of, block -> Optional.of(block.toUuid()));
  }

  /** Returns the face of an identifier under the newest key. */
  public String show(T id) {
    Key newest = keys.get(0);
    Ulid block = newest.cipher().encrypt(toBlock.apply(id));
    return prefix + newest.name() + block.toString().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the identifier of a face that was made with any key of the keyring, in either letter
   * case.
   *
   * @throws MalformedIdException if the text has another length or prefix, names a key that is not
   *     in the keyring, has a character that is not of Crockford's base 32, exceeds 128 bits, or,
   *     of a number, was not made with this mask
   */
  public T open(String face) {
    return tryOpen(face).orElseThrow(() -> malformed(face));
  }

  /** Opens what {@link #open} opens; empty where it throws. */
  public Optional<T> tryOpen(String face) {
    if (face.length() != length() || !hasPrefix(face)) {
      return Optional.empty();
    }
    return key(face).flatMap(key -> block(face).map(key.cipher()::decrypt)).flatMap(fromBlock);
  }

  /** The prefix and the names of the keys: {@code Mask[pay_, keys b, a]}. */
  @Override
  public String toString() {
    return "Mask[" + prefix + ", keys " + keyNames() + "]";
  }

  private int length() {
    return prefix.length() + 1 + Crockford32.LENGTH;
  }

  private boolean hasPrefix(String face) {
    for (int i = 0; i < prefix.length(); i++) {
      if (AsciiCase.lower(face.charAt(i)) != prefix.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private Optional<Key> key(String face) {
    char name = AsciiCase.lower(face.charAt(prefix.length()));
    return keys.stream().filter(key -> key.name() == name).findFirst();
  }

  private Optional<Ulid> block(String face) {
    return Crockford32.decode(face, prefix.length() + 1);
  }

  private MalformedIdException malformed(String face) {
    if (face.length() != length()) {
      return Malformed.length("face", face, length());
    }
    if (!hasPrefix(face)) {
      return Malformed.because("face", face, "expected it to start with " + prefix);
    }
    Optional<Key> key = key(face);
    if (key.isEmpty()) {
      return Malformed.character(
          "face", face, prefix.length(), "the name of a key: expected one of " + keyNames());
    }
    if (block(face).isEmpty()) {
      return Crockford32.malformed("face", face, prefix.length() + 1);
    }
    return Malformed.because(
        "face", face, "it was not made with key '" + key.get().name() + "' of this mask");
  }

  private String keyNames() {
    return String.join(", ", keys.stream().map(key -> String.valueOf(key.name())).toList());
  }
}
