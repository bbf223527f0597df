package dev.mintmark;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * A face of identifiers that hides their time and their count and does not reveal neighbours: the
 * encrypted identifier, after a prefix.
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
 * <p>That is the shape {@code LONG}. {@link CollectionSpec.Face.Shape} has two others: a UUIDv8 for
 * clients with a field for a UUID, and a short one of 14 characters, which is <b>not sealed</b>. In
 * place of AES they have FF1 with AES (NIST SP 800-38G) on 117 and 64 bits.
 *
 * <p><b>A number is sealed.</b> A forged face has the 64 zero bits with a probability of 2^-64, so
 * it is rejected without a look-up (encode-then-encipher: Bellare and Rogaway, ASIACRYPT 2000).
 * <b>A UUID is only hidden.</b> It fills the block, so every well-formed text opens to some UUID;
 * that no row has it is known only after a look-up.
 *
 * <p><b>It protects against</b> reading the time or the number from an identifier, comparing the
 * order of two identifiers, estimating growth, trying neighbours, and linking rows of two
 * collections by equal numbers. <b>It does not</b> replace an authorization check: a face does not
 * expire, and the same identifier always has the same face. Anyone who has the secret can open and
 * make all faces, including past ones.
 *
 * <p><b>Key.</b> A key is derived from a secret of the keyring, the width of the block and the key
 * label of the {@link CollectionSpec.Face} (HKDF with SHA-256, RFC 5869). It does not depend on the
 * name of the collection and the prefix, so changing them does not change a block. The first secret
 * of the keyring makes new faces, and all secrets open faces. So a row has two faces after a
 * rotation: compare the opened identifiers, never the texts.
 *
 * <p><b>Text.</b> All texts with one prefix have the same length, are safe in a URL, and are read
 * in either letter case. Under one key an identifier has exactly one text. The order of texts has
 * no meaning.
 *
 * <p>Immutable and thread-safe, also for virtual threads. Make one for each collection and keep it,
 * because deriving its keys takes time.
 *
 * <pre>{@code
 * Mask<Long> payments = Mask.ofNumbers(keyring, new CollectionSpec.Face("pay", "payments"));
 * String face = payments.show(123L);
 * payments.open(face);  // 123
 * }</pre>
 *
 * @param <T> the type of the masked identifiers
 * @see Masks
 */
public final class Mask<T> {
  /** Precedes the key label in the derivation of a key. Changing it changes all faces. */
  private static final String PURPOSE = "mintmark mask v1 %s %s";

  private final FaceText text;

  /** The newest first. */
  private final List<Key> keys;

  private final Function<T, Ulid> toBlock;
  private final Function<Ulid, Optional<T>> fromBlock;
  private final Optional<OldFace<T>> old;

  private record Key(char name, BlockCipher cipher) {}

  private Mask(Keyring keyring, CollectionSpec.Face face, FaceBlock<T> block) {
    this.text = FaceText.of(face);
    this.toBlock = block.to();
    this.fromBlock = block.from();
    byte[] purpose =
        PURPOSE.formatted(block.width(), face.keyLabel()).getBytes(StandardCharsets.US_ASCII);
    this.keys =
        keyring.keys().stream()
            .map(name -> new Key(name, cipher(face.shape(), keyring.derive(name, purpose))))
            .toList();
    this.old = Optional.empty();
  }

  private Mask(
      FaceText text,
      List<Key> keys,
      Function<T, Ulid> toBlock,
      Function<Ulid, Optional<T>> fromBlock,
      Optional<OldFace<T>> old) {
    this.text = text;
    this.keys = keys;
    this.toBlock = toBlock;
    this.fromBlock = fromBlock;
    this.old = old;
  }

  private static BlockCipher cipher(CollectionSpec.Face.Shape shape, byte[] key) {
    AesBlock aes = new AesBlock(key);
    return switch (shape) {
      case LONG -> aes;
      case UUID -> new Ff1(aes, FaceText.AsUuid.BLOCK_BITS);
      case SHORT -> new Ff1(aes, Long.SIZE);
    };
  }

  /**
   * Returns the mask of a collection that stores {@code bigint}: sequences and Snowflakes. Any 64
   * bits can be sealed, negative numbers too.
   */
  public static Mask<Long> ofNumbers(Keyring keyring, CollectionSpec.Face face) {
    return new Mask<>(keyring, face, FaceBlock.ofNumbers(face.shape()));
  }

  /**
   * Returns the mask of a collection that stores {@code uuid}, of any version; of version 7 if the
   * shape of the face is {@code UUID}.
   *
   * @throws IllegalArgumentException if the shape is {@code SHORT}
   */
  public static Mask<UUID> ofUuids(Keyring keyring, CollectionSpec.Face face) {
    return new Mask<>(keyring, face, FaceBlock.ofUuids(face.shape()));
  }

  /**
   * Returns the mask of identifiers of a type, which opens faces as {@link #ofNumbers} and {@link
   * #ofUuids} do.
   *
   * @throws IllegalArgumentException if the type is stored as text, or the face has a shape that
   *     its kind does not have
   */
  public static <T> Mask<T> of(IdType<T> type, Keyring keyring, CollectionSpec.Face face) {
    face.shape().check(type.kind());
    return switch (type.storage()) {
      case BIGINT -> ofNumbers(type, ofNumbers(keyring, face));
      case UUID -> ofUuids(type, ofUuids(keyring, face));
      case TEXT ->
          throw new IllegalArgumentException(
              "a face masks 64 or 128 bits: expected storage bigint or uuid, found text");
    };
  }

  /** The same mask for identifiers of a type that is stored as bigint. */
  static <T> Mask<T> ofNumbers(IdType<T> type, Mask<Long> numbers) {
    return numbers.map(
        id -> (Long) type.toStored(id).toObject(),
        number -> type.fromStored(new ColumnValue.Bigint(number)));
  }

  /** The same mask for identifiers of a type that is stored as uuid. */
  static <T> Mask<T> ofUuids(IdType<T> type, Mask<UUID> uuids) {
    return uuids.map(
        id -> (UUID) type.toStored(id).toObject(),
        uuid -> type.fromStored(new ColumnValue.Uuid(uuid)));
  }

  /**
   * Returns the face of an identifier under the newest key.
   *
   * @throws MalformedIdException if the shape of the face is {@code UUID} and the identifier is a
   *     UUID that is not of version 7, or is of the year 2248 or later
   */
  public String show(T id) {
    Key newest = keys.get(0);
    return text.write(newest.name(), newest.cipher().encrypt(toBlock.apply(id)));
  }

  /**
   * Returns the face for a place that has room for one alone, such as an address or the element of
   * an array: the old face until its end, if there is one, so that nothing changes for clients that
   * know no other; else {@link #show}.
   */
  public String showAlone(T id) {
    return old.filter(OldFace::isWritten).map(face -> face.show(id)).orElseGet(() -> show(id));
  }

  /** The old face of the collection, which {@link #open} reads too; empty if none is declared. */
  public Optional<OldFace<T>> old() {
    return old;
  }

  /**
   * Returns the identifier of a face that was made with any key of the keyring, in either letter
   * case, or of an old face that is declared.
   *
   * @throws MalformedIdException if the text has another length or prefix, names a key that is not
   *     in the keyring, has a character that is not in Crockford's base 32, exceeds 128 bits, or,
   *     for a number whose face is not short, was not made with this mask
   * @throws RetiredFaceException if it is an old face whose time has ended
   */
  public T open(String face) {
    return openNew(face)
        .or(() -> old.flatMap(before -> before.open(face)))
        .orElseThrow(() -> malformed(face));
  }

  /** Opens what {@link #open} opens; empty if it throws. */
  public Optional<T> tryOpen(String face) {
    try {
      return openNew(face).or(() -> old.flatMap(before -> before.open(face)));
    } catch (RetiredFaceException e) {
      return Optional.empty();
    }
  }

  private Optional<T> openNew(String face) {
    if (text.misfit(face).isPresent()) {
      return Optional.empty();
    }
    return key(face).flatMap(key -> text.block(face).map(key.cipher()::decrypt)).flatMap(fromBlock);
  }

  /** The same mask, which reads an old face too. */
  Mask<T> changedFrom(OldFace<T> before) {
    return new Mask<>(text, keys, toBlock, fromBlock, Optional.of(before));
  }

  /** The prefix and the names of the keys: {@code Mask[pay_, keys b, a]}. */
  @Override
  public String toString() {
    return "Mask[" + text + ", keys " + keyNames() + "]";
  }

  /** The same mask for another class. A block that {@code from} refuses has no identifier. */
  private <U> Mask<U> map(Function<U, T> to, Function<T, U> from) {
    return new Mask<>(
        text,
        keys,
        id -> toBlock.apply(to.apply(id)),
        block -> fromBlock(block, from),
        Optional.empty());
  }

  private <U> Optional<U> fromBlock(Ulid block, Function<T, U> from) {
    try {
      return fromBlock.apply(block).map(from);
    } catch (MalformedIdException e) {
      return Optional.empty();
    }
  }

  private Optional<Key> key(String face) {
    char name = text.key(face);
    return keys.stream().filter(key -> key.name() == name).findFirst();
  }

  private MalformedIdException malformed(String face) {
    Optional<MalformedIdException> misfit = text.misfit(face);
    if (misfit.isPresent()) {
      return misfit.get();
    }
    Optional<Key> key = key(face);
    if (key.isEmpty()) {
      return text.unknownKey(face, keyNames());
    }
    if (text.block(face).isEmpty()) {
      return text.malformedBlock(face);
    }
    return Malformed.because(
        "face", face, "it was not made with key '" + key.get().name() + "' of this mask");
  }

  private String keyNames() {
    return String.join(", ", keys.stream().map(key -> String.valueOf(key.name())).toList());
  }
}
