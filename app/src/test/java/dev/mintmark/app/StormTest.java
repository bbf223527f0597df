package dev.mintmark.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.app.embedded.EmbeddedDatabase;
import java.util.List;
import org.junit.jupiter.api.Test;

class StormTest {
  private static final Storm ARTICLE =
      new Storm(
          PoolSpec.of(
              "storm-1", List.of(Block.parse("45.67.80.0/22"), Block.parse("203.0.112.0/22"))),
          500_000,
          50);

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
  void oursAndTheArticlesHandOutEveryAddressAndLeaveNothingBehind() throws InterruptedException {
    Storm storm = new Storm(ARTICLE.pool(), 10_000, 4);
    try (Database database = Database.over(EmbeddedDatabase.startTemporary())) {
      StormReport.Run ours = run(storm, new PoolAllocator(storm, database));
      StormReport.Run rival = run(storm, new ArticleAllocator(storm, database));

      assertThat(List.of(ours, rival))
          .allSatisfy(
              run -> {
                assertThat(run.granted() + run.rejected()).isEqualTo(10_000);
                assertThat(run.doubled()).isZero();
                assertThat(run.p50Ms()).isPositive().isLessThanOrEqualTo(run.p99Ms());
              });
      assertThat(ours.granted()).isEqualTo(2_044);
      assertThat(ours.statements()).isLessThan(rival.statements() / 10);
      assertThat(rival.statements()).isEqualTo(10_000);
      try (var pools = dev.mintmark.postgres.pool.Pools.over(database.connectionPool("check", 1))) {
        assertThat(pools.names()).isEmpty();
      }
    }
  }

  @Test
  void anAddressThatIsGrantedTwiceIsCounted() {
    AnswerLog log = new AnswerLog(3);
    log.start();
    log.granted(0, "10.0.0.1");
    log.granted(1, "10.0.0.1");
    log.rejected(2);
    log.end();

    StormReport.Run run = log.report(new Storm(ARTICLE.pool(), 3, 1), 3);

    assertThat(run.doubled()).isEqualTo(1);
    assertThat(new StormReport(run, null).lines())
        .last()
        .isEqualTo("1 addresses were granted twice");
  }

  private static StormReport.Run run(Storm storm, Storm.Allocator allocator)
      throws InterruptedException {
    AnswerLog log = new AnswerLog(storm.clients());
    try (allocator) {
      allocator.run(log, answered -> {});
      return log.report(storm, allocator.statements());
    }
  }
}
