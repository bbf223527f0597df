package dev.mintmark.app.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.app.database.Database;
import dev.mintmark.app.database.OwnDatabases;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.Pools;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class StormTest {
  private static final Storm ARTICLE =
      new Storm(
          PoolSpec.of(
              "storm-1", List.of(Block.parse("45.67.80.0/22"), Block.parse("203.0.112.0/22"))),
          500_000,
          50,
          0);

  private static final Storm SMALL =
      new Storm(PoolSpec.of("storm-2", List.of(Block.parse("10.0.0.0/25"))), 600, 8, 0);

  @Test
  void theNapkinKnowsWhatTheArticleReckoned() {
    assertThat(ARTICLE.napkin())
        .containsExactly(
            "addresses    2,044 in [45.67.80.0/22, 203.0.112.0/22]",
            "clients      500,000 through 50 instances",
            "ratio        one address for 245 clients",
            "chance       0.41 % of an address",
            "turned away  497,956 at least");
  }

  @Test
  void oursAndTheArticlesHandOutEveryAddressAndLeaveNothingBehind() throws Exception {
    Storm storm = new Storm(ARTICLE.pool(), 10_000, 4, 0);
    try (Database database = OwnDatabases.open()) {
      List<DataSource> connections = connections(database, 4);
      StormReport.Run ours = run(storm, new PoolAllocator(storm, connections));
      StormReport.Run rival =
          run(storm, new RivalAllocator(storm, Rival.ARTICLE, "storm_1", connections));

      assertThat(List.of(ours, rival))
          .allSatisfy(
              run -> {
                assertThat(run.granted() + run.rejected()).isEqualTo(10_000);
                assertThat(run.doubled()).isZero();
                assertThat(run.falseRejections()).isZero();
                assertThat(run.p50Ms()).isPositive().isLessThanOrEqualTo(run.p99Ms());
              });
      assertThat(ours.granted()).isEqualTo(2_044);
      assertThat(ours.statements()).isLessThan(rival.statements() / 10);
      assertThat(rival.statements()).isEqualTo(10_000);
      try (Pools pools = Pools.over(connections.get(0))) {
        assertThat(pools.names()).isEmpty();
      }
      assertThat(schemas(connections.get(0))).doesNotContain("storm_1");
    }
  }

  @Test
  void everyDiscardedIdeaRunsAndNoneOfThemDoubles() throws Exception {
    try (Database database = OwnDatabases.open()) {
      List<DataSource> connections = connections(database, SMALL.instances());
      Map<Rival, StormReport.Run> runs = new LinkedHashMap<>();
      for (Rival rival : Rival.values()) {
        runs.put(rival, run(SMALL, new RivalAllocator(SMALL, rival, "storm_2", connections)));
      }

      assertThat(runs)
          .allSatisfy(
              (rival, run) -> {
                assertThat(run.granted() + run.rejected()).isEqualTo(SMALL.clients());
                assertThat(run.doubled()).isZero();
                if (rival == Rival.ARTICLE_CACHED) {
                  assertThat(run.statements()).isBetween(run.granted(), SMALL.clients() - 1L);
                } else {
                  assertThat(run.statements())
                      .isEqualTo(SMALL.clients() + (run.retries() == null ? 0 : run.retries()));
                }
              });
      assertThat(Objects.requireNonNull(runs.get(Rival.ARTICLE_KEYED)).granted()).isEqualTo(126);
      assertThat(Objects.requireNonNull(runs.get(Rival.RANDOM_GUESS)).retries()).isPositive();
    }
  }

  @Test
  void anInstanceThatCachesARejectionAsksAgainAfterItsTime() throws Exception {
    AtomicLong nanos = new AtomicLong(-1);
    try (Database database = OwnDatabases.open();
        Connection connection = database.connectionPool("test", 1).getConnection()) {
      Storm storm = new Storm(SMALL.pool(), SMALL.clients(), 1, 0);
      RivalTable table =
          new RivalTable(
              storm, Rival.ARTICLE_CACHED, "storm_2", database.connectionPool("table", 1));
      RivalInstance instance = new RivalInstance(Rival.ARTICLE_CACHED, storm, 0, nanos::get);
      try (table;
          RivalInstance.Query query = instance.prepare(connection, "storm_2")) {
        for (int client = 0; client < 126; client++) {
          assertThat(query.claim(client)).isPresent();
        }
        assertThat(query.claim(126)).isEmpty();
        update(connection, "update ip_address set client_id = null where client_id = 5");

        nanos.addAndGet(Pool.REMEMBERED_FOR.toNanos() - 1);
        assertThat(query.claim(127)).isEmpty();
        assertThat(instance.effort()).isEqualTo(new Storm.Effort(127, 0, 0));

        nanos.incrementAndGet();
        assertThat(query.claim(128)).isPresent();
        assertThat(instance.effort()).isEqualTo(new Storm.Effort(128, 0, 0));
      }
    }
  }

  @Test
  void aStormIsTheSameInAServerProcess() {
    Storm storm =
        new Storm(
            PoolSpec.of(
                "storm-3",
                List.of(Block.parse("10.0.0.0/16 by /24"), Block.parse("10.1.0.0/16 by /24"))),
            7,
            3,
            1);

    String line = StormPipe.begin(storm);

    assertThat(line).isEqualTo("begin storm-3 7 3 1 10.0.0.0/16 by /24,10.1.0.0/16 by /24");
    assertThat(StormPipe.begun(line)).isEqualTo(storm);
    assertThatThrownBy(() -> StormPipe.begun("end"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("expected begin or effort: \"end\"");
  }

  @Test
  void theEffortOfServersIsSummedUnlessItIsUnknown() {
    assertThat(Storm.Effort.sum(List.of(new Storm.Effort(5, 2, 1), StormPipe.effort("7 3 0"))))
        .isEqualTo(new Storm.Effort(12, 5, 1));
    assertThat(Storm.Effort.sum(List.of(Storm.Effort.ofStatements(5), StormPipe.effort("7 -1 -1"))))
        .isEqualTo(Storm.Effort.ofStatements(12));
  }

  @Test
  void rivalsAreChosenByName() {
    assertThat(Rival.chosen(List.of("nowait", "article", "nowait")))
        .containsExactly(Rival.NOWAIT, Rival.ARTICLE);
    assertThat(Rival.chosen(List.of("all"))).containsExactly(Rival.values());
    assertThat(Rival.chosen(List.of("none"))).isEmpty();
    assertThatThrownBy(() -> Rival.chosen(List.of("article", "none")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "--rival is \"article,none\": expected names of rivals, or only all, or only none");
  }

  @Test
  void aShardOfAnIdleInstanceIsLostToTheClientsOfTheOthers() throws Exception {
    Storm storm = new Storm(SMALL.pool(), 126, 6, 2);
    try (Database database = OwnDatabases.open()) {
      List<DataSource> connections = connections(database, storm.instances());
      StormReport.Run shards =
          run(storm, new RivalAllocator(storm, Rival.STATIC_SHARDS, "storm_2", connections));
      StormReport.Run ours = run(storm, new PoolAllocator(storm, connections));

      assertThat(shards.granted()).isEqualTo(84);
      assertThat(shards.falseRejections()).isEqualTo(42);
      assertThat(ours.granted()).isEqualTo(126);
      assertThat(ours.falseRejections()).isZero();
    }
  }

  @Test
  void theProcessorTimeOfADatabaseGrowsWithItsWorkWhereTheMachineTellsIt() throws Exception {
    try (Database database = OwnDatabases.open();
        Connection connection = database.connectionPool("work", 1).getConnection();
        Statement statement = connection.createStatement()) {
      DatabaseProcessor processor = DatabaseProcessor.of(connection);
      OptionalLong before = processor.millis();

      statement.execute("select count(md5(n::text)) from generate_series(1, 300000) n");

      if (before.isPresent()) {
        assertThat(processor.millis().orElseThrow()).isGreaterThan(before.getAsLong());
      }
    }
  }

  @Test
  void anAddressThatIsGrantedTwiceIsCounted() {
    Storm storm = new Storm(SMALL.pool(), 3, 1, 0);
    AnswerLog log = new AnswerLog(storm);
    log.start();
    log.granted(0, "10.0.0.1");
    log.granted(1, "10.0.0.1");
    log.rejected(2);
    log.end();

    StormReport.Run run = log.report(Storm.Effort.ofStatements(3), OptionalLong.empty());

    assertThat(run.doubled()).isEqualTo(1);
    assertThat(run.falseRejections()).isEqualTo(1);
    assertThat(new StormReport(run, Map.of()).lines())
        .last()
        .isEqualTo("1 addresses were granted twice");
  }

  @Test
  void anAddressThatIsNoneOfThoseHandedOutIsAnError() {
    AnswerLog log = new AnswerLog(SMALL);

    assertThatThrownBy(() -> log.granted(0, "10.0.0.127"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("\"10.0.0.127\" was granted, which is not in [10.0.0.0/25]");
  }

  private static List<DataSource> connections(Database database, int count) {
    List<DataSource> connections = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      connections.add(database.connectionPool("test-" + i, 1));
    }
    return connections;
  }

  private static void update(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      assertThat(statement.executeUpdate(sql)).isEqualTo(1);
    }
  }

  private static List<String> schemas(DataSource connections) throws SQLException {
    try (Connection connection = connections.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select nspname from pg_namespace")) {
      List<String> schemas = new ArrayList<>();
      while (rows.next()) {
        schemas.add(rows.getString(1));
      }
      return schemas;
    }
  }

  private static StormReport.Run run(Storm storm, Storm.Allocator allocator)
      throws InterruptedException {
    AnswerLog log = new AnswerLog(storm);
    try (allocator) {
      allocator.run(log, answered -> {});
      return log.report(allocator.effort(), OptionalLong.empty());
    }
  }
}
