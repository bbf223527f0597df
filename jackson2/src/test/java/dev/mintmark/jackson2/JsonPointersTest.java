package dev.mintmark.jackson2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.mintmark.Ulid;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Where an error is, in a form for clients. */
class JsonPointersTest {
  private static final JsonMapper MAPPER = JsonMapper.builder().findAndAddModules().build();

  private record Item(Ulid payment) {}

  private record Order(List<Item> items) {}

  private record Document(Order order, Map<String, Ulid> byName) {}

  @Test
  void pointerLeadsThroughObjectsAndArrays() {
    assertPointer("{\"order\":{\"items\":[{},{\"payment\":\"x\"}]}}", "#/order/items/1/payment");
    assertPointer("{\"order\":{\"items\":[{\"payment\":7}]}}", "#/order/items/0/payment");
  }

  @Test
  void wholeDocumentIsTheRoot() {
    JsonMappingException e =
        catchThrowableOfType(
            JsonMappingException.class, () -> MAPPER.readValue("\"x\"", Ulid.class));

    assertThat(JsonPointers.of(e)).isEqualTo("#");
  }

  /** RFC 6901, sections 3 and 6. */
  @Test
  void namesAreEscaped() {
    assertName("a/b", "a~1b");
    assertName("m~n", "m~0n");
    assertName("c%d", "c%25d");
    assertName(" ", "%20");
    assertName("é", "%C3%A9");
    assertName("", "");
  }

  private static void assertName(String name, String escaped) {
    assertPointer("{\"byName\":{\"" + name + "\":\"x\"}}", "#/byName/" + escaped);
  }

  private static void assertPointer(String json, String pointer) {
    JsonMappingException e =
        catchThrowableOfType(
            JsonMappingException.class,
            () -> MAPPER.readValue(json, new TypeReference<Document>() {}));

    assertThat(JsonPointers.of(e)).isEqualTo(pointer);
  }
}
