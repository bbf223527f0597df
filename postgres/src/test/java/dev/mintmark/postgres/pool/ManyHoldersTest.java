package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An empty pool that has more holders than one probe lists. */
@Tag("slow")
class ManyHoldersTest {
  private static final int PER_PROBE = 4;

  private final TestDatabase database = TestDatabase.create();
  private final Pools pools = Pools.over(database.dataSource());

  /** What it remembers does not end while the clock stands still. */
  private final long nanos = System.nanoTime();

  private final Exhaustion exhaustion = new Exhaustion("p", PER_PROBE, 1_000, () -> nanos);

  @AfterEach
  void close() {
    pools.close();
  }

  @Test
  void everyHolderAndEveryLastClientIsListedInOneOfTheParts() {
    Pool pool = emptyPool();
    PoolProbe probe = new PoolProbe(pool.context(), exhaustion);
    int probes = 0;
    while (exhaustion.rejection().isEmpty()) {
      assertThat(probe.findExhausted(1)).isPresent();
      assertThat(++probes).isLessThan(10);
    }

    assertThat(probes).isEqualTo(4);
    for (int i = 1; i <= 13; i++) {
      assertThat(exhaustion.rejection("client-" + i)).as("client-" + i).isEmpty();
    }
    assertThat(exhaustion.rejection("stranger")).isPresent();
  }

  @Test
  void whoeverGetsAValueBetweenTwoPartsIsListedToo() {
    Pool pool = emptyPool();
    PoolProbe probe = new PoolProbe(pool.context(), exhaustion);
    probe.findExhausted(1);
    Claim early = pool.claims(ClaimFilter.ofClient("client-1"), 1).get(0);
    pool.release(early.value(), early.token());
    database.execute("update mintmark.pool_quarantine set until = now() - interval '1 second'");
    pools.sweep();
    List<Claim> late = new ArrayList<>();
    for (ClaimResult result = claim(pool, "late-" + late.size());
        result instanceof Granted granted;
        result = claim(pool, "late-" + late.size())) {
      late.add(granted.claim());
    }
    assertThat(late).hasSize(4);

    while (exhaustion.rejection().isEmpty()) {
      probe.findExhausted(1);
    }

    for (int i = 0; i < late.size(); i++) {
      assertThat(exhaustion.rejection("late-" + i)).as("late-" + i).isEmpty();
    }
    assertThat(exhaustion.rejection("client-13")).isEmpty();
    assertThat(exhaustion.rejection("stranger")).isPresent();
  }

  private static ClaimResult claim(Pool pool, String client) {
    return pool.claim(ClaimRequest.of(client));
  }

  /** Thirteen values, of which ten are held and three are in quarantine. */
  private Pool emptyPool() {
    pools.create(
        PoolSpec.of("p", List.of(Block.parse("1..13"))).withQuarantine(Duration.ofHours(1)));
    Pool pool = pools.open("p");
    for (int i = 1; i <= 13; i++) {
      assertThat(claim(pool, "client-" + i)).isInstanceOf(Granted.class);
    }
    for (int i : List.of(3, 8, 12)) {
      Claim claim = pool.claims(ClaimFilter.ofClient("client-" + i), 1).get(0);
      pool.release(claim.value(), claim.token());
    }
    return pool;
  }
}
