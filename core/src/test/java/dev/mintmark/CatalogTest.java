package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CatalogTest {
  private static final CollectionSpec MANDATES = collection("mandates", "direct-debits");
  private static final PoolSpec WORKERS = PoolSpec.of("workers", List.of(Block.parse("0..1023")));

  @Test
  void collectionIsFoundByItsNameAndItsAliases() {
    Catalog catalog = new Catalog("bobsburgers", List.of(MANDATES), List.of());

    assertThat(catalog.collection("mandates")).contains(MANDATES);
    assertThat(catalog.collection("direct-debits")).contains(MANDATES);
    assertThat(catalog.collection("Mandates")).isEmpty();
  }

  @Test
  void poolIsFoundByItsName() {
    Catalog catalog = new Catalog("bobsburgers", List.of(), List.of(WORKERS));

    assertThat(catalog.pool("workers")).contains(WORKERS);
    assertThat(catalog.pool("mandates")).isEmpty();
  }

  @Test
  void nameThatAnotherCollectionHasAsAliasIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new Catalog(
                    "bobsburgers", List.of(MANDATES, collection("direct-debits")), List.of()))
        .withMessage(
            "collection \"direct-debits\": the name \"direct-debits\" is taken by \"mandates\"");
  }

  @Test
  void poolNameThatIsTakenIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Catalog("bobsburgers", List.of(), List.of(WORKERS, WORKERS)))
        .withMessage("pool \"workers\": the name is taken by another pool");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Meats", "3rd-party", "-x", "a_b", "a:b", "a b", "é"})
  void malformedNameIsRefused(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Catalog(name, List.of(), List.of()))
        .withMessageStartingWith("malformed namespace name " + Quoted.of(name) + ": expected 1 to");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> collection(name))
        .withMessageStartingWith("malformed collection name " + Quoted.of(name));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> collection("meats", name))
        .withMessageStartingWith("malformed collection name " + Quoted.of(name));
  }

  @Test
  void widthIsCheckedAgainstItsLimit() {
    assertThat(collection("a").width()).isEqualTo(6);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new CollectionSpec(
                    "a",
                    Kind.SEQUENCE,
                    Kind.Storage.BIGINT,
                    Optional.empty(),
                    19,
                    Optional.empty(),
                    "id",
                    List.of(),
                    Optional.empty()))
        .withMessage("collection \"a\": width is 19: expected 0 to 18");
  }

  private static CollectionSpec collection(String name, String... aliases) {
    return new CollectionSpec(
        name,
        Kind.SEQUENCE,
        Kind.Storage.BIGINT,
        Optional.of("MD"),
        6,
        Optional.of(name),
        "id",
        List.of(aliases),
        Optional.empty());
  }
}
