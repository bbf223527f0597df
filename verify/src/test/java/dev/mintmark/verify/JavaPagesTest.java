package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Java of pages that show no results compiles: docs/masks.md, docs/pages.md, docs/pools.md,
 * docs/pools-databases.md, docs/pools-numbers.md, docs/pools-regions.md, docs/pools-slices.md,
 * docs/pools-sql.md and docs/search.md.
 */
@Tag("slow")
class JavaPagesTest {
  private static final String IMPORTS =
      """
      import dev.mintmark.*;
      import dev.mintmark.postgres.page.*;
      import dev.mintmark.postgres.pool.*;
      import dev.mintmark.postgres.pool.numbers.*;
      import dev.mintmark.postgres.search.*;
      import java.sql.*;
      import java.time.Duration;
      import java.util.*;
      import javax.sql.DataSource;

      """;

  /** What the pages do not show. Each {@code %s} is a block of the page, in its order. */
  private static final Map<String, String> AROUND =
      new TreeMap<>(
          Map.of(
              "masks",
              """
              void numbers() { %s }

              void shapes(Keyring keyring) { %s }

              void catalog(Catalog catalog, Keyring keyring) { %s }
              """,
              "pages",
              """
              record Incident(UUID id, String name) {}

              record User(UUID id) {}

              void read(DataSource dataSource, Keyring keyring, UUID organisation) throws Exception { %s }

              Object conditions() { return %s; }

              KeysetPages<Incident> join(Keyring keyring) { return %s; }

              void lag(KeysetPages<Incident> incidents, DataSource dataSource) throws Exception { %s }

              void transactions(KeysetPages<Incident> pages, Connection connection) throws Exception { %s }

              void merge(KeysetPages<User> pages, DataSource brazil, DataSource canada) throws Exception { %s }
              """,
              "pools",
              """
              void sweeper(DataSource dataSource, PoolSweeper.Listener listener) { %s }
              """,
              "pools-databases",
              """
              void across(DataSource globalDataSource, DataSource euDataSource, PoolSweeper.Listener listener) { %s }
              """,
              "pools-numbers",
              """
              void workers(Pools pools) { %s }

              void runs(Pools pools, DataSource brazil, SequenceFeedRunner.Listener listener) throws Exception { %s }
              """,
              "pools-regions",
              """
              void regions(Pools global, Pools eu, PoolSweeper.Listener listener) { %s }
              """,
              "pools-slices",
              """
              void slices(DataSource dataSource) { %s }
              """,
              "pools-sql",
              """
              void insertVm(Connection connection, String name, String address) {}

              void inTransactions(Pool pool, DataSource dataSource) throws Exception { %s }
              """,
              "search",
              """
              record Payment(UUID id) {}

              void box(Puris puris, Keyring keyring, Connection connection) throws Exception { %s }

              void condition(Search search, Connection connection, String text, UUID tenant) throws Exception { %s }
              """));

  @Test
  void everyBlockCompiles(@TempDir Path directory) throws IOException {
    UserProgram program = new UserProgram(directory);
    for (Map.Entry<String, String> around : AROUND.entrySet()) {
      String page = around.getKey();
      List<String> blocks = new Page("docs/" + page + ".md").blocks("java");
      assertThat(around.getValue().split("%s", -1)).as(page).hasSize(blocks.size() + 1);
      String members =
          around.getValue().formatted(blocks.stream().map(JavaPagesTest::complete).toArray());
      String name = page.replace('-', '_');
      program.source(name, IMPORTS + "class " + name + " {\n" + members + "}\n");
    }

    // -classfile: class files of libraries have annotations that are not on the class path.
    // -try: a snippet does not use every resource that it opens.
    program.compile(
        "-Xlint:-classfile,-try",
        "-cp",
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
  }

  /**
   * A comment at the end of a block must not hide what follows it; three dots stand for the rest.
   */
  private static String complete(String block) {
    return "\n" + block.replaceFirst("(?m)^ +\\.\\.\\.\n\\z", "return List.of(); } });\n");
  }
}
