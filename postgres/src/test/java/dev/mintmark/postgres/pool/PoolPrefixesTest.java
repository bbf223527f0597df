package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Exhausted;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.ClaimResult.ValueTaken;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pools whose values are prefixes of a block of addresses. */
@Tag("slow")
class PoolPrefixesTest {
  private final TestDatabase database = TestDatabase.create();
  private final Pools pools = Pools.over(database.dataSource());

  @AfterEach
  void everyValueIsInJustOneState() {
    assertThat(PoolInvariants.violations(database)).isEmpty();
    pools.close();
  }

  @Test
  void everyPrefixIsGrantedOnceAndTheFirstOnesFirst() {
    Pool pool = create("10.0.0.0/26 by /28");

    assertThat(IntStream.range(0, 4).mapToObj(i -> granted(pool, "node-" + i).value()))
        .containsExactly("10.0.0.0/28", "10.0.0.16/28", "10.0.0.32/28", "10.0.0.48/28");
    assertThat(pool.claim(ClaimRequest.of("node-4"))).isInstanceOf(Exhausted.class);
    assertThat(((AlreadyHeld) pool.claim(ClaimRequest.of("node-1"))).claim().value())
        .isEqualTo("10.0.0.16/28");
    assertThat(pool.stats().total().capacity()).isEqualTo(4);
  }

  @Test
  void aPrefixIsClaimedByNameFoundAndReleased() {
    Pool pool = create("2001:db8::/32 by /56");
    ClaimRequest named = ClaimRequest.of("customer-7").withValue("2001:DB8:1:2300::/56");

    Claim claim = ((Granted) pool.claim(named)).claim();

    assertThat(claim.value()).isEqualTo("2001:db8:1:2300::/56");
    assertThat(pool.find("2001:db8:1:2300::/56")).contains(claim);
    assertThat(pool.claim(ClaimRequest.of("b").withValue(claim.value())))
        .isEqualTo(new ValueTaken("p", claim.value()));
    assertThatThrownBy(() -> pool.claim(ClaimRequest.of("b").withValue("2001:db8:1:2380::/57")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2001:db8:1:2380::/57");
    assertThat(pool.release(claim.value(), claim.token()))
        .isInstanceOf(ReleaseResult.Released.class);
    assertThat(database.rows("select count(*) from mintmark.pool_history"))
        .containsExactly(List.of("1"));
  }

  /** The address of a gateway takes its whole prefix out. */
  @Test
  void aPrefixWithAnExcludedAddressIsNotGranted() {
    pools.create(
        PoolSpec.of("p", List.of(Block.parse("10.0.0.0/26 by /28")))
            .withExclude(List.of(Block.parse("10.0.0.1"))));
    Pool pool = pools.open("p");
    assertThat(pool.exclude(List.of(Block.parse("10.0.0.32/27")))).isTrue();

    assertThat(granted(pool, "a").value()).isEqualTo("10.0.0.16/28");
    assertThat(pool.claim(ClaimRequest.of("b"))).isInstanceOf(Exhausted.class);

    assertThat(pool.include(List.of(Block.parse("10.0.0.48/28")))).isTrue();
    assertThat(granted(pool, "b").value()).isEqualTo("10.0.0.48/28");
  }

  @Test
  void blocksComeAndGoAndAnotherProgramReadsThem() {
    Pool pool = create("10.0.0.0/28 by /28");
    assertThatThrownBy(() -> pool.addBlock(Block.parse("10.0.0.0/24 by /26"), List.of()))
        .hasMessageContaining("overlap");
    assertThatThrownBy(() -> pool.addBlock(Block.parse("10.0.1.0/24"), List.of()))
        .hasMessageContaining(
            "10.0.0.0/28 by /28 and 10.0.1.0/24: a pool has either addresses or prefixes");
    pool.addBlock(Block.parse("10.0.1.0/24 by /26"), List.of());
    pool.drain("10.0.0.0/28 by /28", true);

    try (Pools elsewhere = Pools.over(database.dataSource())) {
      Pool same = elsewhere.open("p");
      assertThat(same.spec().blocks())
          .containsExactly(Block.parse("10.0.0.0/28 by /28"), Block.parse("10.0.1.0/24 by /26"));
      assertThat(granted(same, "a").value()).isEqualTo("10.0.1.0/26");
      assertThat(same.removeBlock("10.0.0.0/28 by /28")).isTrue();
    }
  }

  @Test
  void sqlClaimsTheSamePrefixesAndShowsThemAsAddresses() {
    create("10.0.0.0/24 by /26");

    assertThat(
            database.rows(
                "select outcome, value from mintmark.claim_value('p', 'a', wanted => '10.0.0.64/26')"))
        .containsExactly(List.of("granted", "10.0.0.64/26"));
    assertThat(
            database.rows(
                "select value, address, address >> '10.0.0.99' from mintmark.pool_claims"))
        .containsExactly(List.of("10.0.0.64/26", "10.0.0.64/26", "t"));
    assertThat(
            database.rows("select value, address from mintmark.pool_values_free order by address"))
        .containsExactly(
            List.of("10.0.0.0/26", "10.0.0.0/26"),
            List.of("10.0.0.128/26", "10.0.0.128/26"),
            List.of("10.0.0.192/26", "10.0.0.192/26"));
  }

  @ParameterizedTest
  @CsvSource({"cidr", "inet", "text"})
  void aTableOfPrefixesIsAdopted(String type) {
    Pool pool = create("10.244.0.0/16 by /24");
    database.execute(
        "create table pod_range (range %s, node text); insert into pod_range values ('10.244.7.0/24', 'node-7')"
            .formatted(type));

    PoolAdoption.adopt(
        pool, new PoolAdoption.Table("pod_range", "range", "node", Optional.empty()), false);

    assertThat(pool.find("10.244.7.0/24").orElseThrow().client()).isEqualTo("node-7");
    assertThat(database.rows("select range::text, node from pod_range"))
        .containsExactly(List.of("10.244.7.0/24", "node-7"));
  }

  @Test
  void partsOfADensityAreBlocksOfAddresses() {
    Pool pool = create("10.0.0.0/16 by /28");
    granted(pool, "a");

    PoolDensity density = pool.survey().density(Optional.empty(), Optional.empty(), 4);

    assertThat(density.parts())
        .extracting(part -> part.cidr().orElseThrow())
        .containsExactly("10.0.0.0/18", "10.0.64.0/18", "10.0.128.0/18", "10.0.192.0/18");
    assertThat(density.parts().get(0).last()).isEqualTo("10.0.63.240/28");
    assertThat(pool.survey().density(Optional.empty(), Optional.empty(), 1).parts().get(0).cidr())
        .contains("10.0.0.0/16");
  }

  @Test
  void leasesAndQuarantineArePerPrefix() {
    pools.create(
        PoolSpec.of("p", List.of(Block.parse("10.0.0.0/27 by /28")))
            .withLease(Duration.ofHours(1))
            .withQuarantine(Duration.ofHours(1)));
    Pool pool = pools.open("p");
    Claim claim = granted(pool, "a");
    pool.release(claim.value(), claim.token());

    assertThat(pool.quarantine("10.0.0.16/28", Duration.ofMinutes(1))).isNotNull();
    assertThat(pool.claim(ClaimRequest.of("b"))).isInstanceOf(Exhausted.class);
    assertThat(granted(pool, "a").value()).as("its last value").isEqualTo("10.0.0.0/28");
  }

  private Pool create(String block) {
    assertThat(pools.create(PoolSpec.of("p", List.of(Block.parse(block))))).isTrue();
    return pools.open("p");
  }

  private static Claim granted(Pool pool, String client) {
    return ((Granted) pool.claim(ClaimRequest.of(client))).claim();
  }
}
