package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.ConstructorDetector;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.json.JsonMapper;

/** What Jackson 2 and 3 make of the values by the annotations in this module, without more. */
class ValueJsonTest {
  private static final Ulid ULID = Ulid.parse("01FZG96YPZK4SANAG1ZM5T2K9Z");
  private static final Snowflake SNOWFLAKE = Snowflake.parse("18446744073709551615");
  private static final TypeId TYPE_ID = TypeId.parse("user_01h455vb4pex5vsknk084sn02q");
  private static final NanoId NANO_ID = NanoId.parse("V1StGXR8_Z5jdHi6B-myT");
  private static final Puri PURI = Puri.parse("SoundCloud:tracks:a%3Ab");
  private static final SequenceId SEQUENCE_ID = new SequenceId.Format("PM", 6).of(123);

  private static final Jackson JACKSON_2 = new Jackson2("2", new ObjectMapper());
  private static final Jackson JACKSON_3 = new Jackson3("3", JsonMapper.builder().build());

  /** One that reads nothing but fields and annotations, as many applications set it. */
  private static final Jackson JACKSON_2_BY_FIELDS =
      new Jackson2(
          "2, by fields",
          new ObjectMapper()
              .setVisibility(PropertyAccessor.ALL, Visibility.NONE)
              .setVisibility(PropertyAccessor.FIELD, Visibility.ANY));

  private static final Jackson JACKSON_3_BY_FIELDS =
      new Jackson3(
          "3, by fields",
          JsonMapper.builder()
              .changeDefaultVisibility(
                  visibility ->
                      visibility
                          .with(Visibility.NONE)
                          .withVisibility(PropertyAccessor.FIELD, Visibility.ANY))
              .build());

  private sealed interface Jackson {
    String write(Object value) throws Exception;

    <T> T read(String json, Class<T> type) throws Exception;

    <T> Map<T, Integer> readByKey(String json, Class<T> key) throws Exception;
  }

  private record Jackson2(String name, ObjectMapper mapper) implements Jackson {
    @Override
    public String write(Object value) throws Exception {
      return mapper.writeValueAsString(value);
    }

    @Override
    public <T> T read(String json, Class<T> type) throws Exception {
      return mapper.readValue(json, type);
    }

    @Override
    public <T> Map<T, Integer> readByKey(String json, Class<T> key) throws Exception {
      return mapper.readValue(
          json, mapper.getTypeFactory().constructMapType(Map.class, key, Integer.class));
    }
  }

  private record Jackson3(String name, JsonMapper mapper) implements Jackson {
    @Override
    public String write(Object value) {
      return mapper.writeValueAsString(value);
    }

    @Override
    public <T> T read(String json, Class<T> type) {
      return mapper.readValue(json, type);
    }

    @Override
    public <T> Map<T, Integer> readByKey(String json, Class<T> key) {
      return mapper.readValue(
          json, mapper.getTypeFactory().constructMapType(Map.class, key, Integer.class));
    }
  }

  private record Row(
      Ulid ulid,
      Snowflake snowflake,
      TypeId typeId,
      NanoId nanoId,
      @Nullable Puri puri,
      List<Ulid> list,
      Map<Snowflake, TypeId> map) {}

  private static List<Jackson> jacksons() {
    return List.of(JACKSON_2, JACKSON_2_BY_FIELDS, JACKSON_3, JACKSON_3_BY_FIELDS);
  }

  private static Stream<Object> readableValues() {
    return Stream.of(
        ULID,
        SNOWFLAKE,
        TYPE_ID,
        NANO_ID,
        PURI,
        Tsid.of(-1),
        Ksuid.max(ULID.time()),
        ObjectId.max(ULID.time()),
        Xid.max(ULID.time()));
  }

  @ParameterizedTest
  @MethodSource("readableValues")
  void valueIsItsTextAndReadsBack(Object value) throws Exception {
    for (Jackson jackson : jacksons()) {
      assertThat(jackson.write(value)).isEqualTo("\"" + value + "\"");
      assertThat((Object) jackson.read("\"" + value + "\"", value.getClass())).isEqualTo(value);
    }
  }

  @ParameterizedTest
  @MethodSource("readableValues")
  void valueIsTheKeyOfAMap(Object value) throws Exception {
    String json = "{\"" + value + "\":17}";

    for (Jackson jackson : jacksons()) {
      assertThat(jackson.write(Map.of(value, 17))).isEqualTo(json);
      assertThat((Object) jackson.readByKey(json, value.getClass())).isEqualTo(Map.of(value, 17));
    }
  }

  @ParameterizedTest
  @MethodSource("jacksons")
  void recordsListsAndMapsOfValuesReadBack(Jackson jackson) throws Exception {
    Row row =
        new Row(
            ULID,
            SNOWFLAKE,
            TYPE_ID,
            NANO_ID,
            PURI,
            List.of(ULID, Ulid.min(ULID.time())),
            Map.of(SNOWFLAKE, TYPE_ID));
    String json =
        """
        {"ulid":"01FZG96YPZK4SANAG1ZM5T2K9Z","snowflake":"18446744073709551615",\
        "typeId":"user_01h455vb4pex5vsknk084sn02q","nanoId":"V1StGXR8_Z5jdHi6B-myT",\
        "puri":"SoundCloud:tracks:a%3Ab",\
        "list":["01FZG96YPZK4SANAG1ZM5T2K9Z","01FZG96YPZ0000000000000000"],\
        "map":{"18446744073709551615":"user_01h455vb4pex5vsknk084sn02q"}}""";

    assertThat(jackson.write(row)).isEqualTo(json);
    assertThat(jackson.read(json, Row.class)).isEqualTo(row);
  }

  @ParameterizedTest
  @MethodSource("jacksons")
  void arraysOfValuesReadBack(Jackson jackson) throws Exception {
    Ulid[] ulids = {ULID, Ulid.max(ULID.time())};
    String json = "[\"01FZG96YPZK4SANAG1ZM5T2K9Z\",\"01FZG96YPZZZZZZZZZZZZZZZZZ\"]";

    assertThat(jackson.write(ulids)).isEqualTo(json);
    assertThat(jackson.read(json, Ulid[].class)).isEqualTo(ulids);
  }

  @ParameterizedTest
  @MethodSource("jacksons")
  void nullIsNull(Jackson jackson) throws Exception {
    assertThat(jackson.read("{\"puri\":null}", Row.class).puri()).isNull();
  }

  @ParameterizedTest
  @MethodSource("jacksons")
  void malformedTextIsTheCauseOfTheError(Jackson jackson) {
    assertThatThrownBy(() -> jackson.read("\"01FZG96YPZ\"", Ulid.class))
        .hasCauseInstanceOf(MalformedIdException.class)
        .cause()
        .hasMessage("malformed ULID \"01FZG96YPZ\": it has 10 characters: expected 26");
    assertThatThrownBy(() -> jackson.read("{\"list\":[\"\"]}", Row.class))
        .hasMessageContaining("[\"list\"]")
        .hasCauseInstanceOf(MalformedIdException.class);
  }

  /** Jackson loses the cause here, but keeps its text. */
  @ParameterizedTest
  @MethodSource("jacksons")
  void malformedKeyIsInTheMessageOfTheError(Jackson jackson) {
    assertThatThrownBy(() -> jackson.readByKey("{\"x\":1}", Ulid.class))
        .hasMessageContaining("malformed ULID \"x\": it has 1 character: expected 26");
  }

  @ParameterizedTest
  @MethodSource("jacksons")
  void numberIsRefused(Jackson jackson) {
    for (Class<?> type : List.of(Snowflake.class, Tsid.class)) {
      for (String number : List.of("5", "-1", "9007199254740993", "18446744073709551615", "1e3")) {
        assertThatThrownBy(() -> jackson.read(number, type))
            .as("%s as a %s", number, type)
            .isInstanceOfAny(
                MismatchedInputException.class,
                com.fasterxml.jackson.databind.exc.MismatchedInputException.class);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("jacksons")
  void sequenceIdsAndTypedIdsAreWrittenButNotReadWithoutTheirFormat(Jackson jackson)
      throws Exception {
    CollectionSpec meats = CollectionSpec.builder("meats", Kind.ULID).build();
    Puris puris = Puris.of(new Catalog("bobsburgers", List.of(meats), List.of()));
    TypedId<Object> typedId = puris.typed("meats", Object.class).parse("bobsburgers:meats:" + ULID);

    assertThat(jackson.write(SEQUENCE_ID)).isEqualTo("\"PM000123\"");
    assertThat(jackson.write(typedId)).isEqualTo("\"bobsburgers:meats:" + ULID + "\"");
    assertThatThrownBy(() -> jackson.read("\"PM000123\"", SequenceId.class))
        .hasMessageContaining("no Creators");
    assertThatThrownBy(() -> jackson.read("\"bobsburgers:meats:" + ULID + "\"", TypedId.class))
        .hasMessageContaining("no Creators");
  }

  /** The annotations have no members, or the compiler of users without Jackson would warn. */
  @Test
  void settingsThatWantAModeAreNotServedByBareAnnotations() {
    ObjectMapper mapper = new ObjectMapper();
    mapper.setConstructorDetector(ConstructorDetector.USE_PROPERTIES_BASED);

    assertThatThrownBy(() -> mapper.readValue("\"" + ULID + "\"", Ulid.class))
        .isInstanceOf(InvalidDefinitionException.class);
  }
}
