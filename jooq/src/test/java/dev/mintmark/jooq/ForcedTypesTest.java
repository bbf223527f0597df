package dev.mintmark.jooq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec.Reference;
import dev.mintmark.catalog.CatalogReader;
import dev.mintmark.catalog.ForcedTypes;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jooq.codegen.GenerationTool;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The forced types of a catalog, as text and as jOOQ's generator reads them. */
@Tag("database")
class ForcedTypesTest {
  private static final Catalog CATALOG =
      CatalogReader.read(
          "mintmark.yaml",
          """
          namespace: shop
          collections:
            tracks: {kind: ulid, table: public.tracks, column: track_id, referenced-by: [plays.track]}
            payments: {kind: sequence, prefix: PM, width: 6, table: payments}
            bills: {kind: sequence, prefix: BL, storage: text, table: bills}
            users: {kind: typeid, prefix: user, table: users}
            events: {kind: uuidv7, table: events}
            odd: {kind: snowflake, table: "odd #1", column: "a&b"}
            elsewhere: {kind: ulid}
            narrow: {kind: sequence, storage: integer, table: narrow}
          """);

  private static final ForcedTypes TYPES =
      ForcedTypes.of(CATALOG)
          .withClass("payments", "dev.mintmark.jooq.ShopTypes.PaymentId")
          .withReference("payments", Reference.parse("public.plays.payment"));

  @Test
  void textIsThatOfTheGoldenFile() throws IOException {
    try (InputStream golden = ForcedTypesTest.class.getResourceAsStream("forced-types.xml")) {
      assertThat(TYPES.xml())
          .isEqualTo(new String(Objects.requireNonNull(golden).readAllBytes(), UTF_8));
    }
  }

  @Test
  @Tag("long")
  void generatedFieldsHaveTheClassesOfTheirIdentifiers(@TempDir Path directory) throws Exception {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        """
        create table tracks (track_id uuid primary key, other uuid);
        create table payments (id bigint primary key);
        create table bills (id text primary key);
        create table users (id uuid primary key);
        create table events (id uuid primary key);
        create table "odd #1" ("a&b" bigint primary key);
        create table narrow (id integer primary key);
        create table plays (track uuid, payment bigint, track_id uuid);
        """);

    GenerationTool.generate(
        """
        <configuration>
          <logging>WARN</logging>
          <jdbc><url>jdbc:postgresql://localhost:%d/%s?user=postgres</url></jdbc>
          <generator>
            <database><inputSchema>public</inputSchema>%s</database>
            <target><packageName>shop</packageName><directory>%s</directory></target>
          </generator>
        </configuration>
        """
            .formatted(database.port(), database.name(), TYPES.xml(), directory));

    assertThat(text(directory, "Tracks"))
        .contains(
            "TableField<TracksRecord, Ulid> TRACK_ID", "TableField<TracksRecord, UUID> OTHER");
    assertThat(text(directory, "Payments")).contains("TableField<PaymentsRecord, PaymentId> ID");
    assertThat(text(directory, "Bills")).contains("TableField<BillsRecord, SequenceId> ID");
    assertThat(text(directory, "Users")).contains("TableField<UsersRecord, TypeId> ID");
    assertThat(text(directory, "Events")).contains("TableField<EventsRecord, UUID> ID");
    assertThat(text(directory, "Odd_231")).contains("Snowflake> A_26B");
    assertThat(text(directory, "Plays"))
        .contains(
            "TableField<PlaysRecord, Ulid> TRACK ",
            "TableField<PlaysRecord, PaymentId> PAYMENT",
            "TableField<PlaysRecord, UUID> TRACK_ID");
    assertThat(compilerErrors(directory)).isEmpty();
  }

  private static String text(Path directory, String table) throws IOException {
    return Files.readString(directory.resolve("shop/tables").resolve(table + ".java"));
  }

  /** What the compiler says to the generated sources. */
  private static String compilerErrors(Path directory) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    try (Stream<Path> files = Files.walk(directory);
        StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, UTF_8)) {
      List<Path> sources = files.filter(file -> file.toString().endsWith(".java")).toList();
      String classPath =
          System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
      List<String> options =
          List.of("-proc:none", "-nowarn", "-d", directory.toString(), "-classpath", classPath);
      compiler
          .getTask(said, manager, null, options, null, manager.getJavaFileObjectsFromPaths(sources))
          .call();
    }
    return said.toString();
  }

  @Test
  void unknownCollectionsAndMalformedNamesAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TYPES.withClass("orders", "a.B"))
        .withMessage("no collection \"orders\" in the catalog");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TYPES.withReference("orders", Reference.parse("a.b")))
        .withMessage("no collection \"orders\" in the catalog");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TYPES.withClass("payments", "a.B<C>"))
        .withMessage("malformed class name \"a.B<C>\"");
  }
}
