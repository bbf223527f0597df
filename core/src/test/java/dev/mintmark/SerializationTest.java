package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamConstants;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.domains.Domain;
import net.jqwik.api.domains.DomainContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * The streams of {@code serialized.json} were written by hand, after the specification of Java's
 * serialization and the table of {@link SerializationProxy}: they must be readable for ever.
 */
@Domain(Ids.class)
@Domain(DomainContext.Global.class)
class SerializationTest {
  private static final HexFormat HEX = HexFormat.of();

  @ParameterizedTest
  @MethodSource("valid")
  void valueIsWrittenAsTheVectorHasIt(JsonNode vector) throws IOException {
    assertThat(HEX.formatHex(write(value(vector))))
        .isEqualTo(vector.path("stream").stringValue())
        .endsWith(vector.path("bytes").stringValue());
  }

  @ParameterizedTest
  @MethodSource("valid")
  void streamOfTheVectorIsReadAsItsValue(JsonNode vector) throws Exception {
    Object value = value(vector);

    assertThat(read(HEX.parseHex(vector.path("stream").stringValue())))
        .hasSameClassAs(value)
        .isEqualTo(value)
        .hasToString(vector.path("text").stringValue());
  }

  @Test
  void everyTypeWithAProxyHasVectors() {
    assertThat(valid().map(vector -> vector.path("value").stringValue()).distinct())
        .containsExactlyInAnyOrder(
            "Ulid",
            "Snowflake",
            "SequenceId",
            "TypeId",
            "NanoId",
            "Puri",
            "Tsid",
            "Ksuid",
            "ObjectId",
            "Xid");
  }

  @ParameterizedTest
  @MethodSource("forged")
  void forgedStreamIsRefused(JsonNode vector) throws IOException {
    char type = vector.path("type").stringValue().charAt(0);
    byte[] bytes = HEX.parseHex(vector.path("bytes").stringValue());
    byte[] stream = write(new SerializationProxy(type, bytes));

    assertThatExceptionOfType(InvalidObjectException.class)
        .isThrownBy(() -> read(stream))
        .withMessageStartingWith("malformed serialized value of type \"")
        .withMessageContaining(vector.path("reason").stringValue())
        .withCauseInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void streamWithoutBytesIsRefused() {
    byte[] stream =
        forged(
            SerializationProxy.class,
            out -> {
              out.writeShort(1);
              out.writeByte('C');
              out.writeUTF("type");
              endOfClass(out);
              out.writeChar('U');
            });

    assertThatExceptionOfType(InvalidObjectException.class)
        .isThrownBy(() -> read(stream))
        .withMessage("malformed serialized value of type \"U\": it has no bytes");
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        Ulid.class,
        Snowflake.class,
        SequenceId.class,
        TypeId.class,
        NanoId.class,
        Puri.class,
        Tsid.class,
        Ksuid.class,
        ObjectId.class,
        Xid.class
      })
  void valueWithoutItsProxyIsRefused(Class<?> type) {
    byte[] stream =
        forged(
            type,
            out -> {
              out.writeShort(0);
              endOfClass(out);
            });

    assertThatExceptionOfType(InvalidObjectException.class)
        .isThrownBy(() -> read(stream))
        .withMessage(
            "a value of dev.mintmark is serialized as its proxy only: the stream is forged");
  }

  @Test
  void fieldsOfAValueAreNotReadFromAStream() {
    byte[] stream =
        forged(
            Ulid.class,
            out -> {
              out.writeShort(2);
              out.writeByte('J');
              out.writeUTF("high");
              out.writeByte('J');
              out.writeUTF("low");
              endOfClass(out);
              out.writeLong(1);
              out.writeLong(2);
            });

    assertThatExceptionOfType(InvalidObjectException.class).isThrownBy(() -> read(stream));
  }

  @Property
  void anyUlidAndTypeIdReadBack(@ForAll Ulid id) throws Exception {
    TypeId typeId = TypeId.of("user", id.toUuid());

    assertThat(read(write(id))).isEqualTo(id);
    assertThat(read(write(typeId))).isEqualTo(typeId);
  }

  @Property
  void anyNumberReadsBack(
      @ForAll long bits, @ForAll @LongRange(min = 0, max = Long.MAX_VALUE) long number)
      throws Exception {
    Snowflake snowflake = Snowflake.of(bits);
    SequenceId sequenceId = new SequenceId.Format("PM", 6).of(number);

    assertThat(read(write(snowflake))).isEqualTo(snowflake);
    assertThat(read(write(sequenceId))).isEqualTo(sequenceId).hasToString(sequenceId.toString());
  }

  @Test
  void valuesReadBackInCollectionsAndArrays() throws Exception {
    Ulid id = Ulid.parse("01FZG96YPZK4SANAG1ZM5T2K9Z");
    Map<Ulid, List<Object>> values = new HashMap<>();
    values.put(id, List.of(id, NanoId.parse("V1StGXR8_Z5jdHi6B-myT"), Puri.parse("A:b:c")));
    Snowflake[] array = {Snowflake.of(-1), Snowflake.of(0)};

    assertThat(read(write(values))).isEqualTo(values);
    assertThat(read(write(array))).isEqualTo(array);
  }

  @Test
  void filterNeedsToAllowTheValueAndItsProxyAlone() throws Exception {
    Ulid id = Ulid.parse("01FZG96YPZK4SANAG1ZM5T2K9Z");
    byte[] values = write(id);
    byte[] others = write(new HashMap<>(Map.of(id, id)));
    String allowed = "dev.mintmark.Ulid;dev.mintmark.SerializationProxy;!*";

    assertThat(read(values, allowed)).isEqualTo(id);
    assertThatExceptionOfType(InvalidClassException.class).isThrownBy(() -> read(others, allowed));
    assertThatExceptionOfType(InvalidClassException.class)
        .isThrownBy(() -> read(values, "java.base/*;!*"));
  }

  private static Stream<JsonNode> valid() {
    return Vectors.serialized().stream().filter(vector -> !vector.has("reason"));
  }

  private static Stream<JsonNode> forged() {
    return Vectors.serialized().stream().filter(vector -> vector.has("reason"));
  }

  /** The value of a vector, read from its text. */
  private static Object value(JsonNode vector) {
    String text = vector.path("text").stringValue();
    String type = vector.path("value").stringValue();
    return switch (type) {
      case "Ulid" -> Ulid.parse(text);
      case "Snowflake" -> Snowflake.parse(text);
      case "SequenceId" -> format(vector).parse(text);
      case "TypeId" -> TypeId.parse(text);
      case "NanoId" -> nanoId(vector, text);
      case "Puri" -> Puri.parse(text);
      case "Tsid" -> Tsid.parse(text);
      case "Ksuid" -> Ksuid.parse(text);
      case "ObjectId" -> ObjectId.parse(text);
      case "Xid" -> Xid.parse(text);
      default -> throw new IllegalArgumentException(type);
    };
  }

  private static SequenceId.Format format(JsonNode vector) {
    return new SequenceId.Format(
        vector.path("prefix").stringValue(), vector.path("width").intValue());
  }

  private static NanoId nanoId(JsonNode vector, String text) {
    return vector
        .path("alphabet")
        .stringValueOpt()
        .map(alphabet -> NanoId.Format.of(alphabet, text.length()).parse(text))
        .orElseGet(() -> NanoId.parse(text));
  }

  private static byte[] write(Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream stream = new ObjectOutputStream(bytes)) {
      stream.writeObject(value);
    }
    return bytes.toByteArray();
  }

  private static Object read(byte[] bytes) throws IOException, ClassNotFoundException {
    return read(bytes, "*");
  }

  private static Object read(byte[] bytes, String filter)
      throws IOException, ClassNotFoundException {
    try (ObjectInputStream stream = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      stream.setObjectInputFilter(ObjectInputFilter.Config.createFilter(filter));
      return stream.readObject();
    }
  }

  private interface StreamWriter {
    void write(DataOutputStream out) throws IOException;
  }

  /** A stream of one object of a class, written by hand from the number of its fields on. */
  private static byte[] forged(Class<?> type, StreamWriter fields) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeShort(ObjectStreamConstants.STREAM_MAGIC);
      out.writeShort(ObjectStreamConstants.STREAM_VERSION);
      out.writeByte(ObjectStreamConstants.TC_OBJECT);
      out.writeByte(ObjectStreamConstants.TC_CLASSDESC);
      out.writeUTF(type.getName());
      out.writeLong(1);
      out.writeByte(ObjectStreamConstants.SC_SERIALIZABLE);
      fields.write(out);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return bytes.toByteArray();
  }

  private static void endOfClass(DataOutputStream out) throws IOException {
    out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
    out.writeByte(ObjectStreamConstants.TC_NULL);
  }
}
