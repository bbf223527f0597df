package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CatalogTest {
  @Test
  void findsACollectionByItsNameAndByItsAliases() {
    CollectionSpec mandates = collection("mandates", "direct-debits");
    Catalog catalog = new Catalog("bobsburgers", List.of(mandates), List.of());

    assertThat(catalog.collection("mandates")).contains(mandates);
    assertThat(catalog.collection("direct-debits")).contains(mandates);
    assertThat(catalog.collection("meats")).isEmpty();
  }

  @Test
  void refusesANameThatIsTaken() {
    List<CollectionSpec> collections = List.of(collection("meats"), collection("beef", "meats"));

    assertThatThrownBy(() -> new Catalog("bobsburgers", collections, List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("collection \"beef\": the name \"meats\" is taken by \"meats\"");
  }

  @Test
  void refusesTwoPoolsOfOneName() {
    PoolSpec workers = PoolSpec.of("workers", List.of(NumberRange.parse("0..1023")));

    assertThatThrownBy(() -> new Catalog("bobsburgers", List.of(), List.of(workers, workers)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("two pools are called \"workers\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Meats", "3rd-party", "-x", "a_b", "a:b", "a b", "é"})
  void refusesAMalformedName(String name) {
    assertThatThrownBy(() -> new Catalog(name, List.of(), List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("malformed namespace name " + Quoted.of(name) + ": expected 1 to");
    assertThatThrownBy(() -> collection(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("malformed collection name " + Quoted.of(name));
    assertThatThrownBy(() -> collection("meats", name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("malformed collection name " + Quoted.of(name));
  }

  private static CollectionSpec collection(String name, String... aliases) {
    return new CollectionSpec(
        name,
        Kind.UUIDV7,
        Kind.Storage.UUID,
        Optional.empty(),
        0,
        Optional.empty(),
        "id",
        List.of(aliases),
        Optional.empty());
  }
}
