package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Kind;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What it takes to add a kind of identifier: its row in {@code Kind}, one in the table of
 * migrations and one in the table of warehouses. The test compiles these three files with one more
 * row each, and runs a program that mints, reads, stores, searches, migrates and loads identifiers
 * of that kind.
 */
@Tag("database")
class NinthKindTest {
  private static final Path ROOT = Checkout.root();

  private static final String CORE_ROW =
      """
        UUIDV8(
            KindRow.of(
                    Storage.UUID,
                    (kind, text) ->
                        new KindType.AnyUuids(
                            kind,
                            (order, options) ->
                                new StatelessMint<>(() -> Uuids.mintV8(options.clock().millis(), 9, 7))))
                .minted()),
      """;

  private static final String MIGRATION_ROW =
      """
                Map.entry(
                    Kind.UUIDV8,
                    minted("public.uuidv8()", at -> "public.uuidv8(" + at + ")", TextToUuid.Form.UUID)),
      """;

  private static final String WAREHOUSE_ROW =
      """
                Map.entry(
                    Kind.UUIDV8, id -> List.of(id.time(id.column()), id.puri(id.uuidText()))),
      """;

  private static final String PROGRAM =
      """
      package user;

      import dev.mintmark.*;
      import dev.mintmark.app.service.MintRequest;
      import dev.mintmark.catalog.*;
      import dev.mintmark.operations.migrate.*;
      import dev.mintmark.postgres.jdbc.IdColumn;
      import dev.mintmark.postgres.search.*;
      import dev.mintmark.warehouse.*;
      import java.sql.*;
      import java.util.Optional;
      import org.postgresql.ds.PGSimpleDataSource;

      public final class Program {
        private static final String YAML =
            "{namespace: shop, code: s, collections: {parts: {kind: uuidv8, code: p, table: parts,"
                + " column: part, created: made_at}}}";

        private Program() {}

        public static void main(String[] arguments) throws Exception {
          Catalog catalog = CatalogReader.read("mintmark.yaml", YAML);
          CollectionSpec parts = catalog.collection("parts").orElseThrow();
          System.out.println(CatalogSchema.text().contains("\\"const\\": \\"uuidv8\\""));

          String minted =
              MintRequest.of(catalog, "parts")
                  .source(MintCache.of(MintOptions.DEFAULT), Optional.of(Form.PURI))
                  .get();
          System.out.println(minted.replaceFirst("parts:.{13}-", "parts:...-"));

          Puris puris = Puris.of(catalog);
          Puri puri = puris.parse("shop:parts:01FZG96YPZK4SANAG1ZM5T2K9Z");
          System.out.println(puri + " " + puris.toCompact(puri) + " " + puris.toStored(puri).storage());

          PGSimpleDataSource database = new PGSimpleDataSource();
          database.setUrl(arguments[0]);
          MigrationPlan plan =
              MigrationPlanner.over(database, "").plan(catalog, InvalidValues.REFUSE, column -> {});
          System.out.println(plan.refusals());
          try (Connection connection = database.getConnection();
              Statement statement = connection.createStatement()) {
            for (Step step : plan.steps()) {
              for (String sql : step.apply()) {
                if (step.phase() == Phase.EXPAND) {
                  statement.execute(sql);
                }
                if (sql.contains("uuidv8")) {
                  System.out.println(sql.replaceAll("(?s).*(public.uuidv8[(].*?[)]).*", "$1"));
                }
              }
            }
            statement.execute("insert into parts (no) values (1)");
            use(IdType.of(parts), connection);
            Search search = Search.of(SearchTable.of("parts").column("#part", SearchIds.of(parts)));
            System.out.println(
                search.find(connection, "01FZG96YPZK4SANAG1ZM5T2K9Z", 9, row -> row.getInt("no")));
          }

          new WarehouseScript(Warehouse.DUCKDB, "mintmark", "main", Optional.of(catalog))
              .text()
              .lines()
              .filter(line -> line.contains(" as \\"part_"))
              .forEach(System.out::println);
        }

        private static <T> void use(IdType<T> type, Connection connection) throws SQLException {
          IdColumn<T> column = IdColumn.of(type);
          try (PreparedStatement select =
              connection.prepareStatement("select part from parts where part = ?")) {
            column.bind(select, 1, type.parse("017fe093-7adf-9932-aaaa-01fd0ba14d3f"));
            try (ResultSet row = select.executeQuery()) {
              row.next();
              System.out.println(type.kind() + " " + type.format(column.read(row, "part")));
            }
          }
        }
      }
      """;

  private static final String PRINTED =
      """
      true
      shop:parts:...-8009-8000-000000000007
      shop:parts:017fe093-7adf-9932-aaaa-01fd0ba14d3f s.p.AX_gk3rfmTKqqgH9C6FNPw UUID
      []
      public.uuidv8()
      public.uuidv8(t."made_at")
      public.uuidv8(t."made_at")
      UUIDV8 017fe093-7adf-9932-aaaa-01fd0ba14d3f
      [1]
        "mintmark".try_ulid_time(t."part") as "part_time",
        "mintmark".try_puri('shop', 'parts', lower(cast(t."part" as varchar))) as "part_puri"
      """;

  /** The files that may name a kind: the tables, the types of kinds, and defaults of options. */
  private static final Set<String> MAY_NAME_KINDS =
      Set.of(
          "Kind.java", // the rows
          "KindType.java", // the types that the rows make
          "NanoIdType.java", // one of them, in a file of its own
          "SnowflakeType.java", // likewise
          "TimedTextType.java", // three of them, likewise
          "TsidType.java", // likewise
          "IdType.java", // the factories of these types
          "KindConditions.java", // the form of prefixes in the JSON Schema
          "KindSql.java", // the table of migrations
          "DerivedColumns.java", // the table of warehouses
          "ServerMint.java", // the functions of the pack that mint
          "DraftKind.java", // by what the doctor recognises kinds
          "MintCommand.java", // the default of --kind
          "InitCommand.java", // the kind that it proposes
          "Decision.java", // the kinds that it recommends
          "Declaration.java", // how the recommended kinds are declared
          "RowFinder.java", // the readings of 128 bits alone, which name no type
          "Distinctive.java", // notations of the same names, which it finds in a text
          "ConversionOptions.java"); // what convert reads without --collection

  @TempDir private Path directory;

  @Tag("slow")
  @Test
  void aNinthKindNeedsARowInCoreAndOneInEachTableOfSql() throws Exception {
    UserProgram program =
        new UserProgram(directory)
            .source("Kind", with(CORE_ROW, "  /** An opaque text", "core", "Kind"))
            .source(
                "KindSql",
                with(MIGRATION_ROW, "          Map.entry(Kind.SEQUENCE", "operations", "KindSql"))
            .source(
                "DerivedColumns",
                with(
                    WAREHOUSE_ROW,
                    "          Map.entry(Kind.SEQUENCE",
                    "warehouse",
                    "DerivedColumns"))
            .source("Program", PROGRAM)
            .compile("-classpath", classPath());
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        """
        create table parts (no int primary key, made_at timestamptz);
        create function public.uuidv8() returns uuid return uuid '017fe093-7adf-9932-aaaa-01fd0ba14d3f';
        create function public.uuidv8(timestamptz) returns uuid return public.uuidv8();
        """);

    String printed =
        program.run(
            "-classpath",
            program.classes() + File.pathSeparator + classPath(),
            "user.Program",
            "jdbc:postgresql://localhost:%d/%s?user=postgres"
                .formatted(database.port(), database.name()));

    assertThat(printed).isEqualTo(PRINTED);
  }

  /** The source of a class with one more row, before the line that begins so. */
  private static String with(String row, String before, String module, String name)
      throws IOException {
    String source = Files.readString(file(module, name));
    assertThat(source).containsOnlyOnce("\n" + before);
    return source.replace("\n" + before, "\n" + row + before);
  }

  private static Path file(String module, String name) throws IOException {
    try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
      return files.filter(file -> file.endsWith(Path.of(name + ".java"))).findFirst().orElseThrow();
    }
  }

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  @Test
  void nothingElseDistinguishesKinds() throws IOException {
    String kinds = Arrays.stream(Kind.values()).map(Enum::name).collect(Collectors.joining("|"));
    // A storage is called TEXT as well, and may be switched over.
    Pattern named =
        Pattern.compile(
            "\\bKind\\.(%s)\\b|\\bcase (%s)\\b".formatted(kinds, kinds.replace("|TEXT", "")));
    Map<String, List<String>> found = new TreeMap<>();
    for (Path file : Sources.MAIN.files(".java")) {
      String source = Files.readString(file).replaceAll("(?m)^ *(/?\\*|//).*$", "");
      boolean knowsKinds =
          source.contains("import dev.mintmark.Kind;") || source.contains("package dev.mintmark;");
      List<String> lines = source.lines().filter(line -> named.matcher(line).find()).toList();
      if (knowsKinds && !lines.isEmpty()) {
        found.put(file.getFileName().toString(), lines);
      }
    }

    found.keySet().removeAll(MAY_NAME_KINDS);
    assertThat(found).isEmpty();
  }
}
