package dev.mintmark.jackson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.mintmark.IdType;
import dev.mintmark.Ksuid;
import dev.mintmark.MalformedIdException;
import dev.mintmark.NanoId;
import dev.mintmark.ObjectId;
import dev.mintmark.Puri;
import dev.mintmark.SequenceId;
import dev.mintmark.Snowflake;
import dev.mintmark.Tsid;
import dev.mintmark.TypeId;
import dev.mintmark.Ulid;
import dev.mintmark.Xid;
import dev.mintmark.jackson.ShopTypes.MandateId;
import dev.mintmark.jackson.ShopTypes.OrderId;
import dev.mintmark.jackson.ShopTypes.PaymentId;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.json.JsonMapper;

/** Identifiers as their plain text in JSON. */
class MintmarkModuleTest {
  private static final Ulid ULID = Ulid.parse("01FZG96YPZK4SANAG1ZM5T2K9Z");
  private static final JsonMapper MAPPER = JsonMapper.builder().findAndAddModules().build();

  private record Payment(
      PaymentId id, @Nullable OrderId order, List<PaymentId> items, Map<PaymentId, Integer> sums) {}

  private static Stream<Object> values() {
    return Stream.of(
        ULID,
        Snowflake.parse("18446744073709551615"),
        TypeId.parse("user_01h455vb4pex5vsknk084sn02q"),
        Tsid.parse("FZZZZZZZZZZZZ"),
        Ksuid.parse("0ujtsYcgvSTl8PAuAdqWYSMnLOv"),
        ObjectId.parse("507f1f77bcf86cd799439011"),
        Xid.parse("9m4e2mr0ui3e8a215n4g"),
        NanoId.parse("V1StGXR8_Z5jdHi6B-myT"),
        Puri.parse("SoundCloud:tracks:a%3Ab"));
  }

  @ParameterizedTest
  @MethodSource("values")
  void valueIsItsTextAlsoAsAKey(Object value) throws Exception {
    Class<?> type = value.getClass();
    var map = MAPPER.getTypeFactory().constructMapType(Map.class, type, Integer.class);

    assertThat(MAPPER.writeValueAsString(value)).isEqualTo("\"" + value + "\"");
    Object read = MAPPER.readValue("\"" + value + "\"", type);
    assertThat(read).isEqualTo(value);
    assertThat(MAPPER.writeValueAsString(Map.of(value, 17))).isEqualTo("{\"" + value + "\":17}");
    Map<Object, Integer> keyed = MAPPER.readValue("{\"" + value + "\":17}", map);
    assertThat(keyed).isEqualTo(Map.of(value, 17));
  }

  @Test
  void moduleIsFoundAndWritesDeclaredClassesAsText() throws Exception {
    Payment payment =
        new Payment(
            new PaymentId(123),
            new OrderId(ULID),
            List.of(new PaymentId(7)),
            Map.of(new PaymentId(8), 40));
    String json =
        """
        {"id":"PM000123","order":"01FZG96YPZK4SANAG1ZM5T2K9Z",\
        "items":["PM000007"],"sums":{"PM000008":40}}""";

    assertThat(MAPPER.writeValueAsString(payment)).isEqualTo(json);
    assertThat(MAPPER.readValue(json, Payment.class)).isEqualTo(payment);
  }

  private record Subject(
      @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.WRAPPER_OBJECT)
          @JsonSubTypes({
            @JsonSubTypes.Type(value = PaymentId.class, name = "payment"),
            @JsonSubTypes.Type(value = Ulid.class, name = "order")
          })
          Object id) {}

  @Test
  void nameOfATypeIsWrittenAroundTheText() throws Exception {
    Subject payment = new Subject(new PaymentId(7));
    Subject order = new Subject(ULID);

    assertThat(MAPPER.writeValueAsString(payment)).isEqualTo("{\"id\":{\"payment\":\"PM000007\"}}");
    for (Subject subject : List.of(payment, order)) {
      assertThat(MAPPER.readValue(MAPPER.writeValueAsString(subject), Subject.class))
          .isEqualTo(subject);
    }
  }

  @Test
  void nullIsNull() throws Exception {
    assertThat(MAPPER.readValue("{\"order\":null}", Payment.class).order()).isNull();
    assertThat(MAPPER.writeValueAsString(new PaymentId[] {null})).isEqualTo("[null]");
  }

  @Test
  void classesOfOthersStayAsTheyAre() throws Exception {
    UUID uuid = ULID.toUuid();

    assertThat(MAPPER.writeValueAsString(List.of(uuid, 123L, "a")))
        .isEqualTo("[\"" + uuid + "\",123,\"a\"]");
    assertThat(MAPPER.writeValueAsString(new MandateId(7))).isEqualTo("{\"value\":7}");
  }

  @Test
  void malformedTextIsTheCauseAndTheReason() {
    assertThatThrownBy(() -> MAPPER.readValue("{\"items\":[\"PX000123\"]}", Payment.class))
        .isInstanceOf(DatabindException.class)
        .hasMessageContaining("malformed sequence id \"PX000123\": expected prefix \"PM\"")
        .hasCauseInstanceOf(MalformedIdException.class)
        .satisfies(e -> assertThat(pointer(e)).isEqualTo("#/items/0"));
    assertThatThrownBy(() -> MAPPER.readValue("{\"order\":\"\"}", Payment.class))
        .hasCauseInstanceOf(MalformedIdException.class)
        .satisfies(e -> assertThat(pointer(e)).isEqualTo("#/order"));
  }

  @Test
  void malformedKeyIsTheCauseAndTheReason() {
    assertThatThrownBy(() -> MAPPER.readValue("{\"sums\":{\"x\":1}}", Payment.class))
        .hasMessageContaining("malformed sequence id \"x\"")
        .hasCauseInstanceOf(MalformedIdException.class)
        .satisfies(e -> assertThat(pointer(e)).startsWith("#/sums"));
  }

  @Test
  void nothingButAStringIsRead() {
    for (Class<?> type : List.of(PaymentId.class, Snowflake.class, Ulid.class)) {
      assertNotRead("9007199254740993", type, "a number");
      assertNotRead("1e3", type, "a number");
      assertNotRead("true", type, "a boolean");
      assertNotRead("{}", type, "an object");
      assertNotRead("[\"PM000123\"]", type, "an array");
    }
  }

  private static void assertNotRead(String json, Class<?> type, String found) {
    assertThatThrownBy(() -> MAPPER.readValue(json, type))
        .isInstanceOf(MismatchedInputException.class)
        .hasMessageContaining("expected a JSON string, found " + found)
        .hasCauseInstanceOf(MalformedIdException.class);
  }

  @Test
  void identifierOfAnotherSequenceIsNotWritten() {
    assertThatThrownBy(() -> MAPPER.writeValueAsString(List.of(new PaymentId(-1))))
        .isInstanceOf(DatabindException.class)
        .hasCauseInstanceOf(MalformedIdException.class)
        .satisfies(e -> assertThat(pointer(e)).isEqualTo("#/0"));
  }

  @Test
  void givenTypesComeFirst() throws Exception {
    IdType<SequenceId> mandates = IdType.sequences(new SequenceId.Format("MD", 6));
    JsonMapper mapper =
        JsonMapper.builder()
            .addModule(new MintmarkModule())
            .addModule(MintmarkModule.of(List.of(mandates)))
            .build();

    assertThat(mapper.readValue("\"MD000007\"", SequenceId.class).number()).isEqualTo(7);
    assertThat(mapper.readValue("\"PM000007\"", PaymentId.class)).isEqualTo(new PaymentId(7));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MintmarkModule.of(List.of(mandates, mandates)))
        .withMessage("two types of dev.mintmark.SequenceId: expected one");
  }

  @Test
  void aMapperHasTheTypesOfSeveralModules() throws Exception {
    JsonMapper mapper =
        JsonMapper.builder()
            .addModule(
                MintmarkModule.of(List.of(IdType.wrapping(CouponId.class, ShopTypes.MANDATES))))
            .addModule(MintmarkModule.of(List.of(IdType.sequences(new SequenceId.Format("RF", 6)))))
            .addModule(MintmarkModule.of(ShopTypes.CATALOG, List.of()))
            .build();

    assertThat(mapper.writeValueAsString(new CouponId(7))).isEqualTo("\"MD000007\"");
    assertThat(mapper.readValue("\"RF000007\"", SequenceId.class).number()).isEqualTo(7);
    assertThat(mapper.writeValueAsString(new MandateId(8))).isEqualTo("\"MD000008\"");
  }

  private record CouponId(long value) {}

  @Test
  void catalogGivesTheTypesOfAnnotatedClasses() throws Exception {
    JsonMapper mapper =
        JsonMapper.builder().addModule(MintmarkModule.of(ShopTypes.CATALOG, List.of())).build();
    TypeReference<Map<MandateId, MandateId>> map = new TypeReference<>() {};

    assertThat(mapper.writeValueAsString(new MandateId(7))).isEqualTo("\"MD000007\"");
    assertThat(mapper.readValue("{\"MD000007\":\"MD000008\"}", map))
        .isEqualTo(Map.of(new MandateId(7), new MandateId(8)));
  }

  private static String pointer(Throwable e) {
    return JsonPointers.of((DatabindException) e);
  }
}
