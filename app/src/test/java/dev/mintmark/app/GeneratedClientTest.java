package dev.mintmark.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Catalog;
import dev.mintmark.app.database.Database;
import dev.mintmark.app.database.OwnDatabases;
import dev.mintmark.app.http.Served;
import dev.mintmark.app.http.Server;
import dev.mintmark.app.http.ServerOptions;
import dev.mintmark.catalog.CatalogReader;
import dev.mintmark.postgres.pool.Pools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The client that openapi-typescript generates from the HTTP contract compiles, rejects misspelled
 * keys, and works with a server. {@code scenario.ts} has the calls. The example of docs/http.md
 * compiles too.
 *
 * <p>{@link NodeTools} says when the test is skipped.
 */
@Tag("long")
class GeneratedClientTest {
  private static final Path PROJECT = Path.of("").toAbsolutePath();
  private static final Path SOURCES = PROJECT.resolve("src/test/client");
  private static final Path DIRECTORY = PROJECT.resolve("target/client");

  @Test
  void aGeneratedClientCompilesAndWorks() throws Exception {
    NodeTools tools = NodeTools.install("the generated client", SOURCES, DIRECTORY);
    for (String file : List.of("scenario.ts", "tsconfig.json")) {
      Files.copy(
          SOURCES.resolve(file), DIRECTORY.resolve(file), StandardCopyOption.REPLACE_EXISTING);
    }
    Files.writeString(DIRECTORY.resolve("snippet.ts"), snippet());
    Path document = PROJECT.resolve("src/main/resources/static/openapi.json");

    assertPasses(
        tools,
        "npm",
        "exec",
        "--offline",
        "--",
        "openapi-typescript",
        document.toString(),
        "--output",
        "schema.ts");
    assertPasses(tools, "npm", "exec", "--offline", "--", "tsc", "--project", ".");
    Catalog catalog = CatalogReader.read("mintmark.yaml", "namespace: example\n");
    try (Database database = OwnDatabases.open();
        Server server =
            Server.start(
                ServerOptions.onLoopback(0),
                Served.of(catalog, Pools.over(database.connectionPool("client", 4))))) {
      String output =
          assertPasses(tools, "node", "out/scenario.js", "http://127.0.0.1:" + server.port());

      assertThat(output).contains("the scenario passed");
    }
  }

  /** The example of the documentation. */
  private static String snippet() throws IOException {
    Matcher block =
        Pattern.compile("(?s)```ts\n(.*?)```")
            .matcher(Files.readString(PROJECT.resolve("../docs/http.md")));
    assertThat(block.find()).isTrue();
    return block.group(1);
  }

  private static String assertPasses(NodeTools tools, String... command) throws Exception {
    NodeTools.Outcome outcome = tools.run(DIRECTORY, command);
    assertThat(outcome.status())
        .as("%s:%n%s", String.join(" ", command), outcome.output())
        .isZero();
    return outcome.output();
  }
}
