package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a message suggests if a pool, or every table of pools, is not there. */
@Tag("database")
class PoolNamesTest {
  @Test
  void aSimilarNameIsSuggestedForAPoolThatIsNotThere() {
    try (Pools pools = Pools.over(TestDatabase.create().dataSource())) {
      pools.create(PoolSpec.of("public-ipv4", List.of(Block.parse("10.0.0.0/30"))));

      assertThatThrownBy(() -> pools.open("publc-ipv4"))
          .isInstanceOf(UnknownPoolException.class)
          .hasMessage("no pool \"publc-ipv4\": did you mean \"public-ipv4\"?");
      assertThatThrownBy(() -> pools.open("ports"))
          .isInstanceOf(UnknownPoolException.class)
          .hasMessage("no pool \"ports\"");
    }
  }

  @Test
  void aDatabaseWithoutOurTablesIsReportedWithTheMigrations() {
    try (Pools pools = Pools.over(TestServer.NEWEST.createDatabase().dataSource())) {
      assertThatThrownBy(() -> pools.open("public-ipv4"))
          .isInstanceOf(PoolUnavailableException.class)
          .hasMessage(
              "pool \"public-ipv4\": the database has no tables of pools: run the migrations at"
                  + " Pools.MIGRATIONS (dev/mintmark/postgres/pool/schema), or the script that"
                  + " mintmark pool schema prints");
    }
  }
}
