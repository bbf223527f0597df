package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NameLintTest {
  @Test
  void collectionOfTheSeedIsFoundWithItsReasonAndABetterName() {
    assertThat(lint("mybillingsystem-bills"))
        .singleElement()
        .hasToString(
            "collection \"mybillingsystem-bills\": \"mybillingsystem\" names a part of a system,"
                + " which data outlives: name it after the domain, such as \"bills\", and keep this"
                + " name as an alias");
  }

  @ParameterizedTest
  @CsvSource({
    "billing-system-bills, system, billing-bills",
    "orders-db, db, orders",
    "userdb, userdb, ''",
    "orders-api, api, orders",
    "payment-service, service, payment",
    "paymentservice-refunds, paymentservice, refunds",
    "meats-table, table, meats",
    "postgres-meats, postgres, meats",
    "sap-invoices, sap, invoices",
    "legacy-orders, legacy, orders",
    "orders-v2, v2, orders",
    "orders-old, old, orders"
  })
  void nameOfASystemAProductOrAStageIsFound(String name, String word, String better) {
    CatalogFinding finding = lint(name).get(0);

    assertThat(finding.name()).isEqualTo(name);
    assertThat(finding.why()).startsWith("\"" + word + "\" names ");
    if (better.isEmpty()) {
      assertThat(finding.advice()).doesNotContain("such as");
    } else {
      assertThat(finding.advice()).contains("such as \"" + better + "\"");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "meats",
        "revenue-bills",
        "payable-bills",
        "direct-debits",
        "services",
        "repair-services",
        "applications",
        "apps",
        "systems",
        "servers",
        "api-keys",
        "tables",
        "table-bookings",
        "ecosystems",
        "observers",
        "observer",
        "new-hires",
        "old-masters",
        "serviceable-parts",
        "databases",
        "vouchers",
        "v-belts",
        "feedback",
        "templates",
        "news"
      })
  void wordOfADomainStaysInPeace(String name) {
    assertThat(lint(name)).isEmpty();
  }

  @Test
  void ourNamespaceIsLookedAtAliasesAndOthersAreNot() {
    CollectionSpec renamed =
        CollectionSpec.builder("bills", Kind.TEXT).aliases(List.of("billing-system-bills")).build();
    NamespaceSpec foreign = new NamespaceSpec("their-system", Optional.empty(), List.of());
    Catalog catalog =
        new Catalog(
            new NamespaceSpec("bobs-backend", Optional.empty(), List.of(renamed)),
            List.of(foreign),
            List.of());

    assertThat(catalog.lint())
        .singleElement()
        .hasToString(
            "namespace \"bobs-backend\": \"backend\" names a part of a system, which data outlives:"
                + " name it after the domain, such as \"bobs\"");
  }

  private static List<CatalogFinding> lint(String collection) {
    CollectionSpec spec = CollectionSpec.builder(collection, Kind.TEXT).build();
    return new Catalog("bobsburgers", List.of(spec), List.of()).lint();
  }

  /** A draft takes the names of tables. */
  @ParameterizedTest
  @CsvSource({
    "service-zone, public.service_zone, 0",
    "resource-server, RESOURCE_SERVER, 0",
    "service-zone, zones, 1",
    "mybillingsystem-bills, mybillingsystem_bills, 1",
    "postgres-meats, postgres_meats, 1"
  })
  void tableMayBeCalledAfterASystemOfTheDomain(String name, String table, int findings) {
    CollectionSpec collection = CollectionSpec.builder(name, Kind.ULID).table(table).build();

    assertThat(NameLint.of(new NamespaceSpec("bobsburgers", Optional.empty(), List.of(collection))))
        .hasSize(findings);
  }
}
