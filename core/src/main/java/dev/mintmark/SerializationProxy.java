package dev.mintmark;

import java.io.InvalidObjectException;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Stands for a value in streams of Java serialization: a letter for the type of the value, and its
 * bytes.
 *
 * <pre>
 *   type   value        bytes, numbers most significant byte first
 *   U      Ulid         16 the bits
 *   F      Snowflake     8 the number, unsigned
 *   S      SequenceId    8 the number,  1 the width,  the rest is the prefix
 *   T      TypeId       16 the bits of the UUID,      the rest is the prefix
 *   N      NanoId       the text
 *   P      Puri         the text
 *   I      Tsid          8 the number, unsigned
 *   K      Ksuid        20 the bits
 *   O      ObjectId     12 the bits
 *   X      Xid          12 the bits
 * </pre>
 *
 * <p>Texts and prefixes are ASCII, one byte for each character.
 *
 * <p><b>Stable.</b> Streams outlive programs: the name of this class, its two fields and this table
 * never change. A new type takes a new letter.
 *
 * <p><b>Checked.</b> A value is read through the {@code of} or {@code parse} of its type, so a
 * forged stream yields no value that they refuse.
 */
final class SerializationProxy implements Serializable {
  private static final long serialVersionUID = 1L;

  private final char type;
  private final byte[] bytes;

  SerializationProxy(char type, byte[] bytes) {
    this.type = type;
    this.bytes = bytes;
  }

  static SerializationProxy of(Ulid id) {
    return new SerializationProxy('U', id.toBytes());
  }

  static SerializationProxy of(Snowflake id) {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).putLong(id.toLong());
    return new SerializationProxy('F', bytes.array());
  }

  static SerializationProxy of(SequenceId id) {
    byte[] prefix = bytes(id.prefix());
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES + Byte.BYTES + prefix.length);
    bytes.putLong(id.number()).put((byte) id.width()).put(prefix);
    return new SerializationProxy('S', bytes.array());
  }

  static SerializationProxy of(TypeId id) {
    byte[] prefix = bytes(id.prefix());
    UUID uuid = id.uuid();
    ByteBuffer bytes = ByteBuffer.allocate(2 * Long.BYTES + prefix.length);
    bytes
        .putLong(uuid.getMostSignificantBits())
        .putLong(uuid.getLeastSignificantBits())
        .put(prefix);
    return new SerializationProxy('T', bytes.array());
  }

  static SerializationProxy of(NanoId id) {
    return new SerializationProxy('N', bytes(id.toString()));
  }

  static SerializationProxy of(Puri puri) {
    return new SerializationProxy('P', bytes(puri.toString()));
  }

  static SerializationProxy of(Tsid id) {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).putLong(id.toLong());
    return new SerializationProxy('I', bytes.array());
  }

  static SerializationProxy of(Ksuid id) {
    return new SerializationProxy('K', id.toBytes());
  }

  static SerializationProxy of(ObjectId id) {
    return new SerializationProxy('O', id.toBytes());
  }

  static SerializationProxy of(Xid id) {
    return new SerializationProxy('X', id.toBytes());
  }

  /** The failure of a value that a stream holds without its proxy. */
  static InvalidObjectException required() {
    return new InvalidObjectException(
        "a value of dev.mintmark is serialized as its proxy only: the stream is forged");
  }

  private Object readResolve() throws InvalidObjectException {
    if (bytes == null) {
      throw new InvalidObjectException(message("it has no bytes"));
    }
    try {
      return value();
    } catch (IllegalArgumentException e) {
      InvalidObjectException invalid = new InvalidObjectException(message(e.getMessage()));
      invalid.initCause(e);
      throw invalid;
    }
  }

  private Object value() {
    return switch (type) {
      case 'U' -> Ulid.fromBytes(bytes);
      case 'F' -> Snowflake.of(exactly(Long.BYTES).getLong());
      case 'S' -> sequenceId(atLeast(Long.BYTES + Byte.BYTES));
      case 'T' -> typeId(atLeast(2 * Long.BYTES));
      case 'N' -> NanoId.ofAnyFormat(rest(ByteBuffer.wrap(bytes)));
      case 'P' -> Puri.parse(rest(ByteBuffer.wrap(bytes)));
      case 'I' -> Tsid.of(exactly(Long.BYTES).getLong());
      case 'K' -> Ksuid.fromBytes(bytes);
      case 'O' -> ObjectId.fromBytes(bytes);
      case 'X' -> Xid.fromBytes(bytes);
      default ->
          throw new IllegalArgumentException(
              "unknown type: expected U, F, S, T, N, P, I, K, O or X");
    };
  }

  private static SequenceId sequenceId(ByteBuffer in) {
    long number = in.getLong();
    int width = Byte.toUnsignedInt(in.get());
    return new SequenceId.Format(rest(in), width).of(number);
  }

  private static TypeId typeId(ByteBuffer in) {
    UUID uuid = new UUID(in.getLong(), in.getLong());
    return TypeId.of(rest(in), uuid);
  }

  private ByteBuffer exactly(int length) {
    if (bytes.length != length) {
      throw new IllegalArgumentException("it has " + bytes.length + " bytes: expected " + length);
    }
    return ByteBuffer.wrap(bytes);
  }

  private ByteBuffer atLeast(int length) {
    if (bytes.length < length) {
      throw new IllegalArgumentException(
          "it has " + bytes.length + " bytes: expected " + length + " or more");
    }
    return ByteBuffer.wrap(bytes);
  }

  private static byte[] bytes(String ascii) {
    return ascii.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** The characters that remain. One beyond ASCII is kept, for the check of the type to refuse. */
  private static String rest(ByteBuffer in) {
    byte[] rest = new byte[in.remaining()];
    in.get(rest);
    return new String(rest, StandardCharsets.ISO_8859_1);
  }

  private String message(@Nullable String why) {
    return "malformed serialized value of type " + Quoted.of(String.valueOf(type)) + ": " + why;
  }
}
