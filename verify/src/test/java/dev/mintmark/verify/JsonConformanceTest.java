package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.Puri;
import dev.mintmark.TypeId;
import dev.mintmark.Ulid;
import dev.mintmark.fixtures.Conformance;
import dev.mintmark.fixtures.Conformance.Operation;
import dev.mintmark.fixtures.Conformance.Surface;
import dev.mintmark.fixtures.RandomId;
import dev.mintmark.fixtures.RandomIds;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Values as JSON text, with the modules for both versions of Jackson, agree with the vectors. */
class JsonConformanceTest {
  /** A version of Jackson with its module. */
  @SuppressWarnings("ImmutableEnumChecker") // Mappers are not changed.
  private enum Jackson {
    JACKSON {
      private final tools.jackson.databind.json.JsonMapper mapper =
          tools.jackson.databind.json.JsonMapper.builder()
              .addModule(new dev.mintmark.jackson.MintmarkModule())
              .build();

      @Override
      String write(Object value) {
        return mapper.writeValueAsString(value);
      }

      @Override
      <T> T read(String json, Class<T> type) {
        return mapper.readValue(json, type);
      }

      @Override
      Conformance compared() {
        return Conformance.of(Surface.JACKSON, "Jackson " + mapper.version());
      }
    },
    JACKSON_2 {
      private final com.fasterxml.jackson.databind.json.JsonMapper mapper =
          com.fasterxml.jackson.databind.json.JsonMapper.builder()
              .addModule(new dev.mintmark.jackson2.MintmarkModule())
              .build();

      @Override
      String write(Object value) throws Exception {
        return mapper.writeValueAsString(value);
      }

      @Override
      <T> T read(String json, Class<T> type) throws Exception {
        return mapper.readValue(json, type);
      }

      @Override
      Conformance compared() {
        return Conformance.of(Surface.JACKSON_2, "Jackson " + mapper.version());
      }
    };

    abstract String write(Object value) throws Exception;

    abstract <T> T read(String json, Class<T> type) throws Exception;

    abstract Conformance compared();
  }

  @ParameterizedTest
  @EnumSource
  void identifiersAreWrittenAndRead(Jackson json) throws Exception {
    List<JsonNode> vectors =
        Vectors.identifiers().stream().filter(vector -> vector.path("forms").has("uuid")).toList();
    assertThat(vectors).hasSizeGreaterThan(60);

    for (JsonNode vector : vectors) {
      String text = vector.path("forms").path("text").stringValue();
      String lower = vector.path("forms").path("lower").stringValue();
      Ulid id = Ulid.parse(text);
      assertThat(id.toUuid()).hasToString(vector.path("forms").path("uuid").stringValue());

      assertThat(json.write(id)).isEqualTo(json.write(text));
      assertThat(json.read(json.write(text), Ulid.class)).isEqualTo(id);
      assertThat(json.read(json.write(lower), Ulid.class)).isEqualTo(id);
    }
    json.compared()
        .vectors(Operation.FORMAT, vectors.size())
        .vectors(Operation.PARSE, vectors.size());
  }

  @ParameterizedTest
  @EnumSource
  void malformedTextIsRejectedWithItsReason(Jackson json) throws Exception {
    List<JsonNode> vectors =
        Vectors.malformed().stream()
            .filter(vector -> vector.path("form").stringValue().equals("text"))
            .toList();
    assertThat(vectors).hasSizeGreaterThan(15);

    for (JsonNode vector : vectors) {
      assertRejected(json, vector, Ulid.class);
    }
    json.compared().vectors(Operation.REJECT, vectors.size());
  }

  @ParameterizedTest
  @EnumSource
  void typeIdsAndPurisAreWrittenAndReadOrRejected(Jackson json) throws Exception {
    List<JsonNode> typeIds = Vectors.typeIds();
    List<JsonNode> puris =
        Stream.of(Vectors.puris(), Vectors.malformedPuris()).flatMap(List::stream).toList();

    for (JsonNode vector : typeIds) {
      assertReads(json, vector, TypeId.class, "input");
    }
    for (JsonNode vector : puris) {
      assertReads(json, vector, Puri.class, "text");
    }
    json.compared().vectors(Operation.TYPEID, typeIds.size()).vectors(Operation.PURI, puris.size());
  }

  @ParameterizedTest
  @EnumSource
  @Tag("matrix")
  void randomValuesAreWrittenAndReadAsInJava(Jackson json) {
    RandomIds.compareAll(
        batch -> {
          assertAll(json, batch, Ulid[].class, RandomId::ulid, RandomId::text);
          assertAll(json, batch, TypeId[].class, id -> TypeId.parse(id.typeId()), RandomId::typeId);
          assertAll(json, batch, Puri[].class, id -> Puri.parse(id.puri()), RandomId::puri);
        });

    json.compared().values(Operation.FORMAT, Operation.PARSE, Operation.TYPEID, Operation.PURI);
  }

  private static void assertAll(
      Jackson json,
      List<RandomId> batch,
      Class<? extends Object[]> type,
      Function<RandomId, Object> value,
      Function<RandomId, String> text)
      throws Exception {
    List<Object> values = batch.stream().map(value).toList();
    String written = json.write(values);

    assertThat(written).isEqualTo(json.write(batch.stream().map(text).toList()));
    assertThat(Arrays.asList(json.read(written, type))).isEqualTo(values);
  }

  private static void assertReads(Jackson json, JsonNode vector, Class<?> type, String written)
      throws Exception {
    if (vector.has("reason")) {
      assertRejected(json, vector, type);
    } else {
      Object value = json.read(json.write(Vectors.input(vector)), type);
      assertThat(value).hasToString(vector.path(written).stringValue());
      assertThat(json.write(value)).isEqualTo(json.write(value.toString()));
    }
  }

  private static void assertRejected(Jackson json, JsonNode vector, Class<?> type)
      throws Exception {
    String text = json.write(Vectors.input(vector));
    assertThatThrownBy(() -> json.read(text, type))
        .as(vector.path("name").stringValue())
        .hasMessageContaining(vector.path("reason").stringValue());
  }
}
