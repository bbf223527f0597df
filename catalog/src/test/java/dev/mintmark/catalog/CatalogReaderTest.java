package dev.mintmark.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mintmark.Block;
import dev.mintmark.Catalog;
import dev.mintmark.CidrBlock;
import dev.mintmark.CollectionSpec;
import dev.mintmark.FaceChange;
import dev.mintmark.Ipv6Embedding;
import dev.mintmark.Kind;
import dev.mintmark.MintDeclaration;
import dev.mintmark.NamespaceSpec;
import dev.mintmark.Order;
import dev.mintmark.PoolSpec;
import dev.mintmark.ValueList;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class CatalogReaderTest {
  private final Path directory;

  CatalogReaderTest(@TempDir Path directory) {
    this.directory = directory;
  }

  @Test
  void readsTheCatalogOfTheDocuments() throws IOException {
    Path file = write(resource("mintmark.yaml"));

    Catalog catalog = CatalogReader.read(file);

    assertThat(catalog.namespace()).isEqualTo("bobsburgers");
    assertThat(catalog.collections())
        .containsExactly(
            CollectionSpec.builder("meats", Kind.UUIDV7).table("meats").build(),
            CollectionSpec.builder("payments", Kind.SEQUENCE)
                .prefix("PM")
                .width(6)
                .table("payments")
                .face(new CollectionSpec.Face("pay", "payments"))
                .build(),
            CollectionSpec.builder("mandates", Kind.SEQUENCE)
                .prefix("MD")
                .width(6)
                .table("mandates")
                .aliases(List.of("direct-debits"))
                .build(),
            CollectionSpec.builder("tracks", Kind.ULID)
                .table("music.tracks")
                .column("track_id")
                .build());
    assertThat(catalog.pools())
        .containsExactly(
            PoolSpec.of(
                    "public-ipv4",
                    List.of(Block.parse("45.67.80.0/22"), Block.parse("203.0.112.0/22")))
                .withQuarantine(Duration.ofMinutes(10))
                .withIpv6(
                    Optional.of(
                        new Ipv6Embedding(
                            CidrBlock.parse("2001:db8:42::/96"), Ipv6Embedding.Source.IPV4))),
            PoolSpec.of("workers", List.of(Block.parse("0..1023")))
                .withLease(Duration.ofSeconds(30)));
  }

  @Test
  void readsTheOldFaceBesideTheNew() {
    CollectionSpec payments =
        CatalogReader.read(
                "x",
                """
                namespace: shop
                collections:
                  payments:
                    kind: sequence
                    faces:
                      - { form: number, until: 2027-06-30 }
                      - { mask: pay, key-label: payments, suffix: _str }
                """)
            .collection("payments")
            .orElseThrow();

    assertThat(payments.face()).contains(new CollectionSpec.Face("pay", "payments"));
    assertThat(payments.faceChange())
        .contains(FaceChange.ofNumber(Instant.parse("2027-06-30T00:00:00Z"), "_str"));
  }

  @Test
  void readsWhereAndHowACollectionIsMinted() {
    String yaml =
        """
        namespace: shop
        collections:
          tracks:
            kind: ulid
            table: tracks
            created: made
            mint: server
            order: ascending
            old-rows: created
          users: { kind: nanoid, mint: application }
          notes: { kind: uuidv7, order: random }
        """;

    Catalog catalog = CatalogReader.read("mintmark.yaml", yaml);

    assertThat(catalog.collection("tracks").orElseThrow().mint())
        .isEqualTo(
            MintDeclaration.NONE
                .withPlace(MintDeclaration.Place.SERVER)
                .withOrder(Order.ASCENDING)
                .withOldRows(MintDeclaration.OldRows.CREATED));
    assertThat(catalog.collection("users").orElseThrow().mint())
        .isEqualTo(MintDeclaration.NONE.withPlace(MintDeclaration.Place.APPLICATION));
    assertThat(catalog.collection("notes").orElseThrow().mint().order()).contains(Order.RANDOM);
    assertThat(CatalogReader.read("mintmark.yaml", new CatalogWriter().write(catalog)))
        .isEqualTo(catalog);
  }

  @Test
  void readsTheNamespacesOfOthersAndCodes() {
    Catalog catalog =
        CatalogReader.read(
            "mintmark.yaml",
            """
            namespace: bobsburgers
            code: b
            collections:
              suppliers: { kind: text, case: sensitive, code: s }
              menus:     { kind: text, case: insensitive }
            namespaces:
              soundcloud:
                code: sc
                collections:
                  tracks: { kind: snowflake, code: s }
              jimmys:
              4chan: { collections: { User_Profiles.v2~: { kind: text, aliases: [4people] } } }
            """);

    assertThat(catalog)
        .isEqualTo(
            new Catalog(
                new NamespaceSpec(
                    "bobsburgers",
                    Optional.of("b"),
                    List.of(
                        CollectionSpec.builder("suppliers", Kind.TEXT)
                            .caseSensitive(true)
                            .code("s")
                            .build(),
                        CollectionSpec.builder("menus", Kind.TEXT).build())),
                List.of(
                    new NamespaceSpec(
                        "soundcloud",
                        Optional.of("sc"),
                        List.of(
                            CollectionSpec.builder("tracks", Kind.SNOWFLAKE).code("s").build())),
                    new NamespaceSpec("jimmys", Optional.empty(), List.of()),
                    new NamespaceSpec(
                        "4chan",
                        Optional.empty(),
                        List.of(
                            CollectionSpec.builder("User_Profiles.v2~", Kind.TEXT)
                                .aliases(List.of("4people"))
                                .build()))),
                List.of()));
  }

  @Test
  void readsANamespaceAlone() {
    assertThat(CatalogReader.read("mintmark.yaml", "namespace: bobsburgers\npools:\n"))
        .isEqualTo(new Catalog("bobsburgers", List.of(), List.of()));
  }

  @Test
  void readsWhatOlderYamlTakesForSomethingElse() {
    Catalog catalog =
        CatalogReader.read(
            "mintmark.yaml",
            """
            namespace: yes
            collections:
              on: { kind: sequence, prefix: NO, width: 010, storage: text }
            pools:
              off: { blocks: [7, 9], lease: PT30S }
            """);

    assertThat(catalog.namespace()).isEqualTo("yes");
    CollectionSpec on = catalog.collection("on").orElseThrow();
    assertThat(on.prefix()).contains("NO");
    assertThat(on.width()).isEqualTo(10);
    assertThat(on.storage()).isEqualTo(Kind.Storage.TEXT);
    PoolSpec off = catalog.pool("off").orElseThrow();
    assertThat(off.blocks()).containsExactly(Block.parse("7"), Block.parse("9"));
    assertThat(off.lease()).contains(Duration.ofSeconds(30));
  }

  @Test
  void integerIsABigintOfFewerBytes() throws IOException {
    String yaml =
        """
        namespace: bobsburgers
        collections:
          bills: { kind: sequence, storage: integer }
          payments: { kind: sequence, storage: bigint }
        """;

    Catalog catalog = CatalogReader.read("mintmark.yaml", yaml);

    CollectionSpec bills = catalog.collection("bills").orElseThrow();
    assertThat(bills.storage()).isEqualTo(Kind.Storage.BIGINT);
    assertThat(bills.narrow()).isTrue();
    assertThat(catalog.collection("payments").orElseThrow().narrow()).isFalse();
    assertThat(new CatalogWriter().write(catalog))
        .contains("bills: { kind: sequence, storage: integer }")
        .contains("payments: { kind: sequence }");
  }

  @Test
  void readsEverythingAPoolMayBe() throws IOException {
    write("codes.txt", "# of May\nBURGER-1\nBURGER-2\n");
    write("more.txt", "BURGER-3\n");
    Path file =
        write(
            """
            namespace: bobsburgers
            pools:
              order-ids: { range: 1..1000000000 by 1000000, exclude: [1..5000000], history: none }
              vouchers:
                list: [codes.txt, more.txt]
                order: ascending
                per-client: 2
                per-owner: 10
                sticky: false
                lease: 2h
                after-failover: quarantine
                history: 7d
                thresholds: [50, 90]
              phones: { list: codes.txt, order: random, sticky: true, lease: none }
              mixed: { blocks: [1..100 by 10, 101..200 by 20] }
            """);

    assertThat(CatalogReader.read(file).pools())
        .containsExactly(
            PoolSpec.of("order-ids", List.of(Block.parse("1..1000000000 by 1000000")))
                .withExclude(List.of(Block.parse("1..5000000")))
                .withHistory(Optional.empty()),
            PoolSpec.of(
                    "vouchers",
                    List.of(
                        ValueList.of("codes.txt", List.of("BURGER-1", "BURGER-2")),
                        ValueList.of("more.txt", List.of("BURGER-3"))))
                .withOrder(PoolSpec.Order.ASCENDING)
                .withPerClient(2)
                .withPerOwner(Optional.of(10))
                .withSticky(false)
                .withLease(Duration.ofHours(2))
                .withAfterFailover(Optional.of(PoolSpec.AfterFailover.QUARANTINE))
                .withHistory(Optional.of(Duration.ofDays(7)))
                .withThresholds(List.of(50, 90)),
            PoolSpec.of(
                "phones", List.of(ValueList.of("codes.txt", List.of("BURGER-1", "BURGER-2")))),
            PoolSpec.of(
                "mixed", List.of(Block.parse("1..100 by 10"), Block.parse("101..200 by 20"))));
  }

  @Test
  void readsWhichPoolAPoolGetsItsBlocksFrom() {
    String yaml =
        """
        namespace: bobsburgers
        databases: { global: {}, eu: {} }
        pools:
          phones-us: { blocks-from: phones, keep-free: 0, exclude: [] }
          phones: { range: 1..1000000 by 1000, quarantine: 1h }
          phones-eu:
            blocks-from: phones
            keep-free: 1000000000
            order: ascending
            lease: 10m
            database: eu
        """;

    assertThat(CatalogReader.read("mintmark.yaml", yaml).pools())
        .containsExactly(
            PoolSpec.of("phones-us", new PoolSpec.Source("phones", 0)),
            PoolSpec.of("phones", List.of(Block.parse("1..1000000 by 1000")))
                .withQuarantine(Duration.ofHours(1)),
            PoolSpec.of("phones-eu", new PoolSpec.Source("phones", 1_000_000_000))
                .withOrder(PoolSpec.Order.ASCENDING)
                .withLease(Duration.ofMinutes(10))
                .withDatabase(Optional.of("eu")));
  }

  @Test
  void readsTheDatabasesOfPoolsInTheirOrder() {
    String yaml =
        """
        namespace: bobsburgers
        databases:
          global: {}
          eu:
          null: {}
        pools:
          workers: { range: 0..1023 }
          eu-ipv4: { blocks: [192.0.2.0/24], database: eu }
          others:  { range: 0..7, database: "null" }
        """;

    Catalog catalog = CatalogReader.read("mintmark.yaml", yaml);

    assertThat(catalog.databases()).containsExactly("global", "eu", "null");
    assertThat(catalog.pools())
        .extracting(PoolSpec::database)
        .containsExactly(Optional.empty(), Optional.of("eu"), Optional.of("null"));
    assertThat(CatalogReader.read("mintmark.yaml", "namespace: x\ndatabases:\n").databases())
        .isEmpty();
  }

  @Test
  void readsAListByItsFullPathWhereTheCatalogIsAText() throws IOException {
    Path codes = write("codes.txt", "A\n");

    Catalog catalog =
        CatalogReader.read(
            "mintmark.yaml", "namespace: x\npools:\n  codes: { list: '" + codes + "' }\n");

    assertThat(catalog.pools())
        .containsExactly(PoolSpec.of("codes", List.of(ValueList.of("codes.txt", List.of("A")))));
  }

  @Test
  void refusesAListWithTheLinesOfTheCatalogAndOfTheList() throws IOException {
    write("codes.txt", "A\n\nB\nA\n");
    Path file =
        write(
            """
            namespace: bobsburgers
            pools:
              vouchers:
                list:
                  - codes.txt
            """);

    assertThatThrownBy(() -> CatalogReader.read(file))
        .isInstanceOf(CatalogException.class)
        .hasMessage(
            file
                + ":5: \"list\" in pool \"vouchers\": list \"codes.txt\": line 1 and line 4 are both"
                + " \"A\"");
  }

  @Test
  void readsAnAliasAsTheNodeItNames() {
    Catalog catalog =
        CatalogReader.read(
            "mintmark.yaml",
            """
            namespace: bobsburgers
            pools:
              red:  &pool { range: 0..7 }
              blue: *pool
            """);

    assertThat(catalog.pools()).extracting(PoolSpec::name).containsExactly("red", "blue");
  }

  @Test
  void readsAMergeKeyAsOtherReadersOfYamlDo() {
    Catalog catalog =
        CatalogReader.read(
            "mintmark.yaml",
            """
            namespace: bobsburgers
            collections:
              meats: &meats { kind: ulid, table: meats }
              beef:  { <<: *meats, table: beef }
            """);

    assertThat(catalog.collection("beef").orElseThrow().kind()).isEqualTo(Kind.ULID);
    assertThat(catalog.collection("beef").orElseThrow().table()).contains("beef");
  }

  @Test
  void readsWhatIsKnownOfATable() {
    Catalog catalog =
        CatalogReader.read(
            "mintmark.yaml",
            """
            namespace: bobsburgers
            collections:
              meats:
                kind: uuidv7
                table: shop.meats
                created: created_at
                referenced-by: [orders.meat_id, shop.meats.parent_id]
                find: { columns: [id, Cut name] }
            """);

    assertThat(catalog.collections())
        .containsExactly(
            CollectionSpec.builder("meats", Kind.UUIDV7)
                .table("shop.meats")
                .created("created_at")
                .referencedBy(
                    List.of(
                        new CollectionSpec.Reference("orders", "meat_id"),
                        new CollectionSpec.Reference("shop.meats", "parent_id")))
                .findColumns(List.of("id", "Cut name"))
                .build());
  }

  @Test
  void readsPastAByteOrderMark() throws IOException {
    assertThat(CatalogReader.read(write("\uFEFFnamespace: bobsburgers\n")).namespace())
        .isEqualTo("bobsburgers");
  }

  @Test
  void reportsTheLineOfEachPart() throws IOException {
    Path file =
        write(
            """
            namespace: bobsburgers
            collections:
              meats:
                kind: ulid
                table: meat
                referenced-by:
                  - orders.meat_id
                  - menus.meat_id
              beef: { kind: ulid,
                table: beef }
            namespaces:
              jimmys:
                collections:
                  meats: { kind: ulid }
            """);

    LocatedCatalog read = CatalogReader.readLocated(file);

    assertThat(read.catalog()).isEqualTo(CatalogReader.read(file));
    assertThat(read.collection("meats")).hasToString(file + ":3");
    assertThat(read.collection("meats", "table")).isEqualTo(new Location(file.toString(), 5));
    assertThat(read.collection("meats", "column").line()).isEqualTo(3);
    assertThat(read.collection("meats", "referenced-by", "menus.meat_id").line()).isEqualTo(8);
    assertThat(read.collection("meats", "referenced-by", "x.y").line()).isEqualTo(6);
    assertThat(read.collection("beef", "table").line()).isEqualTo(10);
    assertThat(read.collection("none").line()).isEqualTo(2);
    assertThat(read.at("namespaces", "jimmys", "collections", "meats").line()).isEqualTo(14);
    assertThat(read.at("pools", "workers").line()).isEqualTo(1);
  }

  @Test
  void errorsHaveTheirLineAsAValue() {
    assertThatThrownBy(() -> CatalogReader.read("mintmark.yaml", "namespace: x\n\npols: {}\n"))
        .isInstanceOfSatisfying(
            CatalogException.class,
            e -> assertThat(e.location()).contains(new Location("mintmark.yaml", 3)));
    assertThatThrownBy(() -> CatalogReader.read(directory.resolve("none.yaml")))
        .isInstanceOfSatisfying(CatalogException.class, e -> assertThat(e.location()).isEmpty());
  }

  record Malformed(String name, String message, String yaml) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Malformed> malformed() throws IOException {
    return Arrays.stream(resource("malformed.txt").split("(?m)^== ", -1))
        .skip(1)
        .map(
            section -> {
              String[] parts = section.split("\n", 3);
              return new Malformed(parts[0], "mintmark.yaml" + parts[1], parts[2]);
            });
  }

  @ParameterizedTest
  @MethodSource
  void malformed(Malformed catalog) {
    assertThatThrownBy(() -> CatalogReader.read("mintmark.yaml", catalog.yaml))
        .isInstanceOf(CatalogException.class)
        .hasMessage(catalog.message);
  }

  @Test
  void refusesAFileThatIsNotThere() {
    Path file = directory.resolve("none.yaml");

    assertThatThrownBy(() -> CatalogReader.read(file))
        .isInstanceOf(CatalogException.class)
        .hasMessage(file + ": no such file");
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void saysThatAFileMayNotBeRead() throws IOException {
    Path file = write("namespace: a\n");
    Files.setPosixFilePermissions(file, Set.of());
    assumeThat(Files.isReadable(file)).as("root reads every file").isFalse();

    assertThatThrownBy(() -> CatalogReader.read(file))
        .isInstanceOf(CatalogException.class)
        .hasMessage(file + ": permission denied")
        .hasCauseInstanceOf(AccessDeniedException.class);
  }

  @Test
  void refusesADirectory() {
    assertThatThrownBy(() -> CatalogReader.read(directory))
        .isInstanceOf(CatalogException.class)
        .hasMessageStartingWith(directory + ": cannot be read: ");
  }

  @Test
  void refusesAFileThatIsTooLarge() throws IOException {
    Path file = write("#".repeat((1 << 20) + 1));

    assertThatThrownBy(() -> CatalogReader.read(file))
        .isInstanceOf(CatalogException.class)
        .hasMessage(file + ": larger than 1048576 bytes");
  }

  @Test
  void refusesAnotherEncodingOnItsLine() throws IOException {
    Path file = directory.resolve("latin.yaml");
    Files.write(file, "namespace: x\n# caf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1));

    assertThatThrownBy(() -> CatalogReader.read(file))
        .isInstanceOf(CatalogException.class)
        .hasMessage(file + ":2: not UTF-8: the byte 0xE9");
  }

  @Test
  void refusesAControlCharacterOnItsLine() {
    assertThatThrownBy(() -> CatalogReader.read("mintmark.yaml", "namespace: x\n\n# \u0007\n"))
        .isInstanceOf(CatalogException.class)
        .hasMessage("mintmark.yaml:3: not YAML: the character U+0007 is not allowed");
  }

  @Test
  void refusesDeepNestingBeforeTheStackEnds() {
    String yaml = "namespace: x\npools: " + "[".repeat(100_000);

    assertThatThrownBy(() -> CatalogReader.read("mintmark.yaml", yaml))
        .isInstanceOf(CatalogException.class)
        .hasMessage("mintmark.yaml:2: nested more than 32 levels deep");
  }

  @Test
  void refusesAliasesOfAliases() {
    StringBuilder yaml = new StringBuilder("namespace: x\npools: &a0 [a]\n");
    for (int i = 1; i < 100; i++) {
      yaml.append("a%d: &a%d [*a%d, *a%d]\n".formatted(i, i, i - 1, i - 1));
    }

    assertThatThrownBy(() -> CatalogReader.read("mintmark.yaml", yaml.toString()))
        .isInstanceOf(CatalogException.class)
        .hasMessageContaining("aliases for non-scalar nodes exceeds");
  }

  @Test
  void refusesANodeInsideItself() {
    String yaml = "namespace: x\npools: &p { p: *p }\n";

    assertThatThrownBy(() -> CatalogReader.read("mintmark.yaml", yaml))
        .isInstanceOf(CatalogException.class)
        .hasMessageStartingWith("mintmark.yaml:2: unknown key \"p\" in pool \"p\"");
  }

  @Test
  void keepsEveryMessageOnOneLine() {
    String yaml = "namespace: x\n\"a\\nb\\e[31m\": 1\n";

    assertThatThrownBy(() -> CatalogReader.read("mintmark.yaml", yaml))
        .isInstanceOf(CatalogException.class)
        .hasMessageStartingWith("mintmark.yaml:2: unknown key \"a\\u000ab\\u001b[31m\" in the");
  }

  private Path write(String yaml) throws IOException {
    return write("mintmark.yaml", yaml);
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  static String resource(String name) throws IOException {
    try (InputStream in = CatalogReaderTest.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
