package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CatalogTest {
  private static final CollectionSpec MANDATES = collection("mandates", "direct-debits");
  private static final PoolSpec WORKERS = PoolSpec.of("workers", List.of(Block.parse("0..1023")));

  @Test
  void collectionIsFoundByItsNameAndItsAliases() {
    Catalog catalog = new Catalog("bobsburgers", List.of(MANDATES), List.of());

    assertThat(catalog.collection("mandates")).contains(MANDATES);
    assertThat(catalog.collection("direct-debits")).contains(MANDATES);
    assertThat(catalog.collection("Direct-DEBITS")).contains(MANDATES);
    assertThat(catalog.collection("mandate")).isEmpty();
  }

  @Test
  void poolIsFoundByItsName() {
    Catalog catalog = new Catalog("bobsburgers", List.of(), List.of(WORKERS));

    assertThat(catalog.pool("workers")).contains(WORKERS);
    assertThat(catalog.pool("mandates")).isEmpty();
  }

  @Test
  void poolIsInTheDatabaseThatItNamesOrInTheFirst() {
    PoolSpec inEu = PoolSpec.of("eu-ports", WORKERS.blocks()).withDatabase(Optional.of("eu"));
    Catalog catalog = withDatabases(List.of("global", "eu"), WORKERS, inEu);

    assertThat(catalog.databaseOf(WORKERS)).contains("global");
    assertThat(catalog.databaseOf(inEu)).contains("eu");
    assertThat(new Catalog("shop", List.of(), List.of(WORKERS)).databaseOf(WORKERS)).isEmpty();
  }

  @Test
  void poolInAnUndeclaredDatabaseIsRefused() {
    PoolSpec elsewhere = WORKERS.withDatabase(Optional.of("ue"));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> withDatabases(List.of("global", "eu"), elsewhere))
        .withMessage(
            "pool \"workers\": unknown database \"ue\": did you mean \"eu\"? expected one of global, eu");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Catalog("shop", List.of(), List.of(elsewhere)))
        .withMessage(
            "pool \"workers\": unknown database \"ue\": the catalog declares no databases");
  }

  @Test
  void poolWhoseBlocksComeFromNoPoolOfTheCatalogIsRefused() {
    PoolSpec phones = PoolSpec.of("phones", List.of(Block.parse("1..1000 by 100")));
    PoolSpec eu = PoolSpec.of("phones-eu", new PoolSpec.Source("phones", 20));
    PoolSpec us = PoolSpec.of("phones-us", new PoolSpec.Source("phone", 20));

    assertThat(withDatabases(List.of(), eu, phones).pools()).containsExactly(eu, phones);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> withDatabases(List.of(), phones, us))
        .withMessage(
            "pool \"phones-us\": its blocks come from pool \"phone\", which the catalog does not declare: did you mean \"phones\"?");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> withDatabases(List.of(), WORKERS, us))
        .withMessage(
            "pool \"phones-us\": its blocks come from pool \"phone\", which the catalog does not declare");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                withDatabases(
                    List.of(),
                    WORKERS,
                    PoolSpec.of("more", new PoolSpec.Source(WORKERS.name(), 20))))
        .withMessage(
            "pool \"more\": pool \"workers\" grants single values: expected runs or prefixes, as in 1..1000000 by 1000");
  }

  @Test
  void databasesHaveNamesOfTheirOwnAndAreAtMost64() {
    List<String> names = IntStream.rangeClosed(1, 65).mapToObj(i -> "d" + i).toList();

    assertThat(withDatabases(names.subList(0, 64)).databases()).hasSize(64);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> withDatabases(names))
        .withMessage("65 databases: expected at most 64");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> withDatabases(List.of("eu", "eu")))
        .withMessage("database \"eu\": the name \"eu\" is taken by another database");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> withDatabases(List.of("EU")))
        .withMessageStartingWith("malformed database name \"EU\"");
  }

  private static Catalog withDatabases(List<String> databases, PoolSpec... pools) {
    NamespaceSpec own = new NamespaceSpec("shop", Optional.empty(), List.of());
    return new Catalog(own, List.of(), List.of(pools), List.of(), List.of(), databases);
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
        .withMessage("pool \"workers\": the name \"workers\" is taken by another pool");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Meats", "3rd-party", "-x", "a_b", "a:b", "a b", "é"})
  void malformedNameIsRefused(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Catalog(name, List.of(), List.of()))
        .withMessageStartingWith("malformed namespace name " + Quoted.of(name) + ": expected 1 to");
    for (List<String> names : List.of(List.of(name), List.of("x", name))) {
      assertThatIllegalArgumentException()
          .isThrownBy(
              () ->
                  new Catalog(
                      "bobsburgers",
                      List.of(collection(names.get(0), names.subList(1, names.size()))),
                      List.of()))
          .withMessageStartingWith("malformed collection name " + Quoted.of(name));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Acme", "4chan", "acme.com", "user_profiles", "-._~", "."})
  void namesOfOthersAreWhatNeedsNoEscape(String name) {
    NamespaceSpec other =
        new NamespaceSpec(name, Optional.empty(), List.of(collection(name), collection("x", "_")));
    Puris puris = Puris.of(catalog(new NamespaceSpec("a", Optional.empty(), List.of()), other));

    Puri puri = puris.parse("%s:%s:md7".formatted(name.toUpperCase(Locale.ROOT), name));

    assertThat(puri).hasToString(name + ":" + name + ":MD000007");
    assertThat(puris.toStored(puri)).isEqualTo(new ColumnValue.Bigint(7));
    assertThat(puris.fromStored(name, name, new ColumnValue.Bigint(7))).isEqualTo(puri);
    assertThat(puris.typed(name, name, Object.class).parse(name + ":" + name + ":MD7").puri())
        .isEqualTo(puri);
    assertThatIllegalArgumentException().isThrownBy(other::asOurs);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a:b", "a b", "\u00e9", "a%41"})
  void malformedNameOfOthersIsRefused(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new NamespaceSpec(name, Optional.empty(), List.of()))
        .withMessage(
            "malformed namespace name %s: expected 1 to 63 of A-Z, a-z, 0-9, '-', '.', '_' and '~';"
                + " in ours a-z, 0-9 and '-', starting with a letter",
            Quoted.of(name));
    assertThatIllegalArgumentException().isThrownBy(() -> collection(name));
    assertThatIllegalArgumentException().isThrownBy(() -> collection("x", name));
    assertThatIllegalArgumentException().isThrownBy(() -> collection("a".repeat(64)));
  }

  @Test
  void namesOfOthersThatDifferInCaseAloneAreTaken() {
    NamespaceSpec own = new NamespaceSpec("acme", Optional.empty(), List.of());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> catalog(own, new NamespaceSpec("Acme", Optional.empty(), List.of())))
        .withMessage("namespace \"Acme\": the name \"Acme\" is taken by another namespace");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new NamespaceSpec(
                    "a", Optional.empty(), List.of(collection("Users"), collection("x", "USERS"))))
        .withMessage("collection \"x\": the name \"USERS\" is taken by \"Users\"");
  }

  @Test
  void widthIsCheckedAgainstItsLimit() {
    assertThat(collection("a").width()).isEqualTo(6);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CollectionSpec.builder("a", Kind.SEQUENCE).width(19).build())
        .withMessage("collection \"a\": width 19: expected 0 to 18 digits");
  }

  @Test
  void namespacesAreOursAndThoseOfOthers() {
    NamespaceSpec own = new NamespaceSpec("bobsburgers", Optional.of("b"), List.of(MANDATES));
    NamespaceSpec other = new NamespaceSpec("jimmys", Optional.empty(), List.of());

    Catalog catalog = new Catalog(own, List.of(other), List.of());

    assertThat(catalog.namespace()).isEqualTo("bobsburgers");
    assertThat(catalog.namespaces()).containsExactly(own, other);
    assertThat(catalog.collections()).containsExactly(MANDATES);
  }

  @Test
  void namespaceOrCodeThatIsTakenIsRefused() {
    NamespaceSpec own = new NamespaceSpec("bobsburgers", Optional.of("b"), List.of());
    NamespaceSpec sameCode = new NamespaceSpec("burgerbros", Optional.of("b"), List.of());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Catalog(own, List.of(own), List.of()))
        .withMessage(
            "namespace \"bobsburgers\": the name \"bobsburgers\" is taken by another namespace");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Catalog(own, List.of(sameCode), List.of()))
        .withMessage("namespace \"burgerbros\": the code \"b\" is taken by another namespace");
  }

  @Test
  void keyLabelOrMaskThatACollectionOfAnyNamespaceHasIsRefused() {
    NamespaceSpec own = masked("bobsburgers", "payments", "pay", "payments");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> catalog(own, masked("jimmys", "bills", "bill", "payments")))
        .withMessage(
            "collection \"bills\": the key label \"payments\" is taken by another collection");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> catalog(own, masked("jimmys", "bills", "pay", "bills")))
        .withMessage("collection \"bills\": the mask \"pay\" is taken by another collection");
    assertThat(catalog(own, masked("jimmys", "payments", "payments", "pay")).others()).hasSize(1);
  }

  private static Catalog catalog(NamespaceSpec own, NamespaceSpec other) {
    return new Catalog(own, List.of(other), List.of());
  }

  private static NamespaceSpec masked(
      String namespace, String collection, String mask, String keyLabel) {
    CollectionSpec.Face face = new CollectionSpec.Face(mask, keyLabel);
    CollectionSpec spec = CollectionSpec.builder(collection, Kind.SEQUENCE).face(face).build();
    return new NamespaceSpec(namespace, Optional.empty(), List.of(spec));
  }

  @Test
  void codeOfACollectionIsItsOwnAndGoesWithOneOfItsNamespace() {
    CollectionSpec meats = CollectionSpec.builder("meats", Kind.ULID).code("m").build();
    CollectionSpec menus = CollectionSpec.builder("menus", Kind.ULID).code("m").build();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new NamespaceSpec("a", Optional.of("a"), List.of(meats, menus)))
        .withMessage("collection \"menus\": the code \"m\" is taken by \"meats\"");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new NamespaceSpec("a", Optional.empty(), List.of(meats)))
        .withMessage("collection \"meats\": it has a code, its namespace \"a\" has none");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "M", "7", "a-b", "a.b", "abcdefghi", "\u00e9"})
  void malformedCodeIsRefused(String code) {
    CollectionSpec.Builder meats = CollectionSpec.builder("meats", Kind.ULID).code(code);

    assertThatIllegalArgumentException()
        .isThrownBy(meats::build)
        .withMessageStartingWith("malformed code " + Quoted.of(code) + ": expected 1 to 8 of");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new NamespaceSpec("a", Optional.of(code), List.of()))
        .withMessageStartingWith("malformed code");
  }

  @ParameterizedTest
  @ValueSource(strings = {"meats", "music.tracks", "Bob's \"meats\"", "\u00e9", "a b.c d"})
  void tableAndColumnAreNamesThatPostgresKeepsWhole(String table) {
    String longest = "\u00e9".repeat(31) + "e";

    assertThat(meats().table(table).build().table()).contains(table);
    assertThat(meats().table(longest + "." + longest).column(longest).build().column())
        .isEqualTo(longest);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "a.", ".a", "a..b", "a.b.c", "a\0b", "a.b\n", "\u0085"})
  void malformedTableIsRefused(String table) {
    assertThatIllegalArgumentException()
        .isThrownBy(meats().table(table)::build)
        .withMessage(
            "collection \"meats\": malformed table name %s: expected TABLE or SCHEMA.TABLE, each 1"
                + " to 63 bytes of UTF-8 without control characters",
            Quoted.of(table));
  }

  @Test
  void malformedColumnIsRefused() {
    for (String column : List.of("", "a\0", "\u001b[31m", "\ud800", "\u00e9".repeat(32))) {
      assertThatIllegalArgumentException()
          .isThrownBy(meats().column(column)::build)
          .withMessage(
              "collection \"meats\": malformed column name %s: expected 1 to 63 bytes of UTF-8"
                  + " without control characters",
              Quoted.of(column));
    }
    assertThatIllegalArgumentException().isThrownBy(meats().table("a".repeat(64))::build);
  }

  @ParameterizedTest
  @ValueSource(strings = {"orders.meat_id", "shop.orders.meat_id", "Bob's \"a\".\u00e9"})
  void referenceIsReadAsItIsWritten(String text) {
    CollectionSpec.Reference reference = CollectionSpec.Reference.parse(text);

    assertThat(reference).hasToString(text);
    assertThat(meats().table("meats").referencedBy(List.of(reference)).build().referencedBy())
        .containsExactly(reference);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "orders", ".", ".a", "a.", "a..b", "a.b.c.d", "a.b\0", "a\u0085.b"})
  void malformedReferenceIsRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CollectionSpec.Reference.parse(text))
        .withMessage(
            "malformed reference %s: expected TABLE.COLUMN or SCHEMA.TABLE.COLUMN, each 1 to 63"
                + " bytes of UTF-8 without control characters",
            Quoted.of(text));
  }

  @Test
  void referenceToAColumnWithADotIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CollectionSpec.Reference("orders", "meat.id"))
        .withMessage("malformed column name \"meat.id\": a reference has none with a dot");
  }

  @Test
  void whatIsKnownOfATableGoesWithOne() {
    List<CollectionSpec.Reference> references =
        List.of(CollectionSpec.Reference.parse("orders.meat_id"));

    assertThatIllegalArgumentException()
        .isThrownBy(meats().created("created_at")::build)
        .withMessage(
            "collection \"meats\": it has \"created\" and no \"table\": add the table of that"
                + " column");
    assertThatIllegalArgumentException()
        .isThrownBy(meats().referencedBy(references)::build)
        .withMessage(
            "collection \"meats\": it has \"referenced-by\" and no \"table\": add the table"
                + " referred to");
    assertThat(meats().table("meats").created("created_at").build().created())
        .contains("created_at");
  }

  @Test
  void columnsToShowGoWithATableAndStandOnce() {
    List<String> columns = IntStream.range(0, 65).mapToObj(i -> "c" + i).toList();
    CollectionSpec.Builder meats = meats().table("meats");

    assertThat(meats.findColumns(columns.subList(0, 64)).build().findColumns()).hasSize(64);
    assertThatIllegalArgumentException()
        .isThrownBy(meats.findColumns(columns)::build)
        .withMessage("collection \"meats\": \"find\" has 65 columns: expected at most 64");
    assertThatIllegalArgumentException()
        .isThrownBy(meats.findColumns(List.of("id", "id"))::build)
        .withMessage("collection \"meats\": \"find\" has the column \"id\" twice");
    assertThatIllegalArgumentException()
        .isThrownBy(meats().findColumns(List.of("id"))::build)
        .withMessage(
            "collection \"meats\": it has \"find\" and no \"table\": add the table of its rows");
  }

  private static CollectionSpec.Builder meats() {
    return CollectionSpec.builder("meats", Kind.ULID);
  }

  @ParameterizedTest
  @EnumSource
  void kindIsKeptAsItIsOrAsText(Kind kind) {
    for (Kind.Storage storage : Kind.Storage.values()) {
      CollectionSpec.Builder collection = CollectionSpec.builder("a", kind).storage(storage);
      if (storage == kind.storage() || storage == Kind.Storage.TEXT) {
        assertThat(collection.build().storage()).isEqualTo(storage);
      } else {
        assertThatIllegalArgumentException()
            .isThrownBy(collection::build)
            .withMessage(
                "collection \"a\": kind %s cannot be kept as %s", kind.label(), storage.label());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void onlyNumbersOfASequenceAreNarrow(Kind kind) {
    CollectionSpec.Builder collection = CollectionSpec.builder("a", kind).storageLabel("integer");

    if (kind == Kind.SEQUENCE) {
      assertThat(collection.build())
          .isEqualTo(CollectionSpec.builder("a", kind).narrow(true).build())
          .extracting(CollectionSpec::storage, CollectionSpec::storageLabel)
          .containsExactly(Kind.Storage.BIGINT, "integer");
      assertThat(collection.storageLabel("bigint").build())
          .isEqualTo(CollectionSpec.builder("a", kind).build());
    } else {
      assertThatIllegalArgumentException()
          .isThrownBy(collection::build)
          .withMessage("collection \"a\": kind %s cannot be kept as integer", kind.label());
    }
    assertThatIllegalArgumentException()
        .isThrownBy(collection.narrow(true).storage(Kind.Storage.TEXT)::build)
        .withMessage("collection \"a\": only what is kept as bigint is narrow, found text");
  }

  @ParameterizedTest
  @EnumSource
  void caseCountsAsTheKindSaysAndOnlyTextLeavesItOpen(Kind kind) {
    boolean usual = CollectionSpec.builder("a", kind).build().caseSensitive();
    CollectionSpec.Builder unusual = CollectionSpec.builder("a", kind).caseSensitive(!usual);

    assertThat(usual).isEqualTo(kind == Kind.NANOID || kind == Kind.KSUID);
    if (kind == Kind.TEXT) {
      assertThat(unusual.build().caseSensitive()).isTrue();
    } else {
      assertThatIllegalArgumentException()
          .isThrownBy(unusual::build)
          .withMessage(
              "collection \"a\": kind %s is always case-%s",
              kind.label(), usual ? "sensitive" : "insensitive");
    }
  }

  @Test
  void prefixIsOneThatTheKindCanShow() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CollectionSpec.builder("a", Kind.SEQUENCE).prefix("PM1").build())
        .withMessageStartingWith("collection \"a\": malformed prefix \"PM1\": expected at most 16");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CollectionSpec.builder("a", Kind.TYPEID).prefix("User").build())
        .withMessageStartingWith(
            "collection \"a\": malformed prefix \"User\": expected at most 63");
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"SEQUENCE", "TYPEID"})
  void prefixAndWidthOfAKindThatShowsNoneAreRefused(Kind kind) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CollectionSpec.builder("a", kind).prefix("PM").build())
        .withMessage("collection \"a\": kind %s has no prefix", kind.label());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CollectionSpec.builder("a", kind).width(1).build())
        .withMessage("collection \"a\": kind %s has no width", kind.label());
  }

  private static CollectionSpec collection(String name, String... aliases) {
    return collection(name, List.of(aliases));
  }

  private static CollectionSpec collection(String name, List<String> aliases) {
    return CollectionSpec.builder(name, Kind.SEQUENCE)
        .prefix("MD")
        .width(6)
        .table("mandates")
        .aliases(aliases)
        .build();
  }
}
