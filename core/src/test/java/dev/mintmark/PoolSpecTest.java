package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PoolSpecTest {
  @Test
  void poolOfTheArticleHas2044Addresses() {
    PoolSpec pool = PoolSpec.of("public-ipv4", blocks("45.67.80.0/22", "203.0.112.0/22"));

    assertThat(pool.blocks().stream().mapToLong(Block::size).sum()).isEqualTo(2044);
    assertThat(pool.lease()).isEmpty();
    assertThat(pool.quarantine()).isZero();
    assertThat(pool.perClient()).isEqualTo(1);
    assertThat(pool.perOwner()).isEmpty();
    assertThat(pool.sticky()).isTrue();
    assertThat(pool.order()).isEqualTo(PoolSpec.Order.RANDOM);
    assertThat(pool.history()).contains(Duration.ofDays(90));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "A", "1a", "-a", "a_b", "a b", "é"})
  void malformedNameIsRefused(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PoolSpec.of(name, blocks("0..1")))
        .withMessageStartingWith("malformed pool name \"" + name + "\": expected 1 to 63");
  }

  @Test
  void nameMayHave63Characters() {
    assertThat(PoolSpec.of("a".repeat(63), blocks("0..1")).name()).hasSize(63);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PoolSpec.of("a".repeat(64), blocks("0..1")));
  }

  @Test
  void blocksThatOverlapOrAreOfTwoFamiliesAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PoolSpec.of("p", blocks("10.0.0.0/24", "10.0.0.128/25")))
        .withMessage("pool \"p\": blocks 10.0.0.0/24 and 10.0.0.128/25 overlap");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PoolSpec.of("p", blocks("10.0.0.0/24", "0..7")))
        .withMessage("pool \"p\": 10.0.0.0/24 and 0..7 are of different families");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PoolSpec.of("p", List.of()))
        .withMessage("pool \"p\": it has no blocks");
  }

  @Test
  void blocksOfMoreThanTwoToThe64AreRefused() {
    assertThat(PoolSpec.of("p", blocks("2001:db8::/64")).blocks()).hasSize(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PoolSpec.of("p", blocks("2001:db8::/63")))
        .withMessage(
            "pool \"p\": block 2001:db8::/63 has more than 2^64 values: expected /64 or longer");
  }

  @Test
  void ipv6BlockThatStandsForIpv4IsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PoolSpec.of("p", blocks("::/64")))
        .withMessage("pool \"p\": block ::/64 has addresses of ::ffff:0:0/96, which are IPv4");
    assertThat(PoolSpec.of("p", blocks("::/96")).blocks()).hasSize(1);
  }

  @Test
  void runsOfNumbersAreHandedOutInAscendingOrder() {
    assertThat(PoolSpec.of("p", blocks("1..100 by 10", "101..200 by 20")).order())
        .isEqualTo(PoolSpec.Order.ASCENDING);
    assertThat(PoolSpec.of("p", blocks("1..100 by 10", "101")).order())
        .isEqualTo(PoolSpec.Order.RANDOM);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PoolSpec.of("p", blocks("1..100 by 10", "91")))
        .withMessage("pool \"p\": blocks 1..100 by 10 and 91 overlap");
  }

  @Test
  void listsThatShareAValueOrANameAreRefused() {
    Block list = ValueList.of("codes", List.of("a", "b"));

    assertThat(PoolSpec.of("p", List.of(list, ValueList.of("more", List.of("c")))).blocks())
        .hasSize(2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PoolSpec.of("p", List.of(list, ValueList.of("more", List.of("b")))))
        .withMessage("pool \"p\": blocks codes and more overlap");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PoolSpec.of("p", List.of(list, ValueList.of("codes", List.of("c")))))
        .withMessage("pool \"p\": two lists have the name \"codes\"");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PoolSpec.of("p", List.of(Block.parse("7"), list)))
        .withMessage("pool \"p\": 7 and codes are of different families");
  }

  @Test
  void poolMayHaveAThousandBlocksAndExclusions() {
    List<Block> thousand = IntStream.range(0, 1000).<Block>mapToObj(i -> one(2 * i)).toList();
    List<Block> more = Stream.concat(thousand.stream(), Stream.of(one(9999))).toList();

    assertThat(PoolSpec.of("p", thousand).withExclude(thousand).blocks()).hasSize(1000);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PoolSpec.of("p", more))
        .withMessage("pool \"p\": it has more than 1000 blocks");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PoolSpec.of("p", thousand).withExclude(more))
        .withMessage("pool \"p\": it has more than 1000 exclusions");
  }

  /** Each of them would exclude nothing. */
  @Test
  void exclusionsOfAnotherFamilyAreRefused() {
    PoolSpec addresses = PoolSpec.of("p", blocks("10.0.0.0/24"));
    PoolSpec runs = PoolSpec.of("p", blocks("1..100 by 10"));
    PoolSpec codes = PoolSpec.of("p", List.of(ValueList.of("codes", List.of("7"))));

    assertThat(addresses.withExclude(blocks("10.0.0.1", "10.0.0.0/8")).exclude()).hasSize(2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> addresses.withExclude(blocks("10.0.0.1", "10.9.0.1")))
        .withMessage("pool \"p\": exclusion 10.9.0.1/32 lies in none of its blocks");
    assertThat(runs.withExclude(blocks("7", "20..30", "1..4 by 2")).exclude()).hasSize(3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> addresses.withExclude(blocks("2001:db8::1")))
        .withMessage(
            "pool \"p\": exclusion 2001:db8::1/128 and block 10.0.0.0/24 are of different"
                + " families");
    assertThatIllegalArgumentException().isThrownBy(() -> addresses.withExclude(blocks("10")));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> codes.withExclude(blocks("7")))
        .withMessage("pool \"p\": a list cannot have exclusions: omit the values");
  }

  @Test
  void quotasAndHistoryAreCheckedAgainstTheirLimits() {
    PoolSpec pool = PoolSpec.of("p", blocks("0..1"));

    assertThat(pool.withPerClient(1000).withPerOwner(Optional.of(1_000_000)).perOwner())
        .contains(1_000_000);
    assertThat(pool.withHistory(Optional.empty()).history()).isEmpty();
    assertThat(pool.withHistory(Optional.of(PoolSpec.DURATION_MAX)).history()).isPresent();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pool.withPerClient(0))
        .withMessage("pool \"p\": per-client is 0: expected 1 to 1000");
    assertThatIllegalArgumentException().isThrownBy(() -> pool.withPerClient(1001));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pool.withPerOwner(Optional.of(0)))
        .withMessage("pool \"p\": per-owner is 0: expected 1 to 1000000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pool.withPerOwner(Optional.of(1_000_001)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pool.withHistory(Optional.of(Duration.ofDays(3651))))
        .withMessage("pool \"p\": history is 3651d: expected 0s to 3650d");
  }

  /** A slip in one of the long calls would lose or swap a component. */
  @Test
  void everyComponentIsKeptByTheOthersMethods() {
    Ipv6Embedding ipv6 =
        new Ipv6Embedding(CidrBlock.parse("2001:db8:42::/96"), Ipv6Embedding.Source.IPV4);

    PoolSpec pool =
        PoolSpec.of("p", blocks("10.0.0.0/8"))
            .withBlocks(blocks("10.0.0.0/24"))
            .withExclude(blocks("10.0.0.1"))
            .withOrder(PoolSpec.Order.ASCENDING)
            .withPerClient(2)
            .withPerOwner(Optional.of(3))
            .withSticky(false)
            .withLease(Duration.ofSeconds(4))
            .withQuarantine(Duration.ofSeconds(5))
            .withHistory(Optional.of(Duration.ofDays(6)))
            .withIpv6(Optional.of(ipv6))
            .withAfterFailover(Optional.of(PoolSpec.AfterFailover.TRUST))
            .withThresholds(List.of(50))
            .withDatabase(Optional.of("eu"))
            .withSource(Optional.of(new PoolSpec.Source("all", 7)))
            .withBlocks(blocks("10.0.0.0/25"));

    assertThat(pool)
        .isEqualTo(
            new PoolSpec(
                "p",
                blocks("10.0.0.0/25"),
                blocks("10.0.0.1"),
                PoolSpec.Order.ASCENDING,
                2,
                Optional.of(3),
                false,
                Optional.of(Duration.ofSeconds(4)),
                Duration.ofSeconds(5),
                Optional.of(Duration.ofDays(6)),
                Optional.of(ipv6),
                Optional.of(PoolSpec.AfterFailover.TRUST),
                List.of(50),
                Optional.of("eu"),
                Optional.of(new PoolSpec.Source("all", 7))));
  }

  @Test
  void poolWithASourceNeedsNoBlocks() {
    PoolSpec pool = PoolSpec.of("p", new PoolSpec.Source("all", 20));

    assertThat(pool.blocks()).isEmpty();
    assertThat(pool.withBlocks(blocks("1..9")).source()).contains(new PoolSpec.Source("all", 20));
    assertThat(pool.withBlocks(blocks("1..9")).withBlocks(List.of())).isEqualTo(pool);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pool.withSource(Optional.empty()))
        .withMessage("pool \"p\": it has no blocks");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pool.withExclude(blocks("7")))
        .withMessage("pool \"p\": its blocks come from another pool: exclude values there");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PoolSpec.of("p", new PoolSpec.Source("p", 20)))
        .withMessage("pool \"p\": it is its own source");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PoolSpec.Source("all", -1))
        .withMessage("keep-free is -1: expected 0 to 1000000000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PoolSpec.Source("all", 1_000_000_001))
        .withMessage("keep-free is 1000000001: expected 0 to 1000000000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PoolSpec.Source("ALL", 1))
        .withMessageStartingWith("malformed pool name");
  }

  @Test
  void sourceThatCannotSupplyAPoolIsRefused() {
    PoolSpec all =
        PoolSpec.of("all", blocks("1..1000 by 100"))
            .withLease(Duration.ofHours(1))
            .withQuarantine(Duration.ofMinutes(10));
    PoolSpec pool =
        PoolSpec.of("p", new PoolSpec.Source("all", 20)).withLease(Duration.ofMinutes(10));

    assertThat(pool.requireSuppliedBy(all)).isSameAs(pool);
    assertThat(pool.requireSuppliedBy(all.withBlocks(blocks("10.0.0.0/16 by /24")))).isSameAs(pool);
    assertNotSupplied(
        pool,
        PoolSpec.of("all", new PoolSpec.Source("more", 1)),
        "the blocks of pool \"all\" come from another one");
    assertNotSupplied(
        pool,
        all.withBlocks(blocks("1..9 by 3", "10..12")),
        "pool \"all\" grants single values: expected runs or prefixes, as in 1..1000000 by 1000");
    assertNotSupplied(
        pool,
        all.withBlocks(blocks("2001:db8::/48 by /56")),
        "block 2001:db8::/56 has more than 2^64 values: expected /64 or longer");
    Ipv6Embedding ipv4 =
        new Ipv6Embedding(CidrBlock.parse("2001:db8:42::/96"), Ipv6Embedding.Source.IPV4);
    assertNotSupplied(
        pool.withIpv6(Optional.of(ipv4)),
        all,
        "only an IPv4 value can be embedded, its blocks are not IPv4");
  }

  @Test
  void leasesOfASourceAndItsPoolsMustFit() {
    PoolSpec all =
        PoolSpec.of("all", blocks("1..1000 by 100"))
            .withLease(Duration.ofHours(1))
            .withQuarantine(Duration.ofMinutes(30));
    PoolSpec pool = PoolSpec.of("p", new PoolSpec.Source("all", 20));
    String half =
        "pool \"all\" has a lease of 1h, so its own lease must be shorter than half of that";
    Duration shorter = Duration.ofMinutes(30).minusMillis(1);

    assertThat(pool.requireSuppliedBy(all.withLease(Optional.empty()))).isSameAs(pool);
    assertNotSupplied(pool, all, half);
    assertNotSupplied(pool.withLease(Duration.ofMinutes(30)), all, half);
    PoolSpec leased = pool.withLease(shorter).withQuarantine(Duration.ofMillis(1));
    assertThat(leased.requireSuppliedBy(all)).isSameAs(leased);
    assertNotSupplied(
        leased.withQuarantine(Duration.ofMillis(2)),
        all,
        "pool \"all\" has a quarantine of 30m: expected at least the lease and the quarantine of this pool, "
            + DurationText.format(shorter.plusMillis(2)));
    assertNotSupplied(
        leased.withLease(Duration.ofSeconds(1)),
        all.withLease(Duration.ofMillis(4_999)),
        "pool \"all\" has a lease of 4s999ms: expected at least 5s");
  }

  private static void assertNotSupplied(PoolSpec pool, PoolSpec source, String why) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pool.requireSuppliedBy(source))
        .withMessage("pool \"p\": " + why);
  }

  @Test
  void databaseIsNamedLikeAPool() {
    PoolSpec pool = PoolSpec.of("p", blocks("0..9"));

    assertThat(pool.database()).isEmpty();
    assertThat(pool.withDatabase(Optional.of("eu-2")).withDatabase(Optional.empty()))
        .isEqualTo(pool);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pool.withDatabase(Optional.of("jdbc:postgresql://eu/app")))
        .withMessageStartingWith(
            "malformed database name \"jdbc:postgresql://eu/app\": expected 1");
  }

  @Test
  void afterAFailoverAPoolRestsIfItHasALeaseAndStopsIfNot() {
    PoolSpec pool = PoolSpec.of("p", blocks("10.0.0.0/25"));
    PoolSpec leased = pool.withLease(Duration.ofSeconds(30));

    assertThat(pool.afterFailoverOrDefault()).isEqualTo(PoolSpec.AfterFailover.STOP);
    assertThat(leased.afterFailoverOrDefault()).isEqualTo(PoolSpec.AfterFailover.QUARANTINE);
    assertThat(
            leased
                .withAfterFailover(Optional.of(PoolSpec.AfterFailover.TRUST))
                .afterFailoverOrDefault())
        .isEqualTo(PoolSpec.AfterFailover.TRUST);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> pool.withAfterFailover(Optional.of(PoolSpec.AfterFailover.parse("quarantine"))))
        .withMessageContaining("without a lease there is no time to wait for");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PoolSpec.AfterFailover.parse("Trust"))
        .withMessage("expected trust, quarantine or stop, found \"Trust\"");
  }

  @Test
  void thresholdsArePercentagesThatAscend() {
    PoolSpec pool = PoolSpec.of("p", blocks("0..9"));

    assertThat(pool.thresholds()).containsExactly(80, 95);
    assertThat(pool.withThresholds(List.of()).thresholds()).isEmpty();
    assertThat(pool.withThresholds(List.of(1, 100)).thresholds()).containsExactly(1, 100);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pool.withThresholds(List.of(0)))
        .withMessage("pool \"p\": a threshold is 0: expected 1 to 100");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pool.withThresholds(List.of(80, 80)))
        .withMessage("pool \"p\": thresholds [80, 80] do not ascend");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pool.withThresholds(List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)))
        .withMessage("pool \"p\": it has more than 10 thresholds");
  }

  @Test
  void clientWithSeveralValuesHasNoIpv6AddressOfItsOwn() {
    Ipv6Embedding embedding =
        new Ipv6Embedding(CidrBlock.parse("2001:db8:42::/96"), Ipv6Embedding.Source.CLIENT);

    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                PoolSpec.of("p", blocks("0..9")).withIpv6(Optional.of(embedding)).withPerClient(2))
        .withMessage("pool \"p\": a client may hold 2 values, which would have one IPv6 address");
  }

  @Test
  void leaseAndQuarantineAreCheckedAgainstTheirLimits() {
    PoolSpec pool = PoolSpec.of("p", blocks("0..1"));

    assertThat(pool.withLease(Duration.ofSeconds(1)).lease()).contains(Duration.ofSeconds(1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pool.withLease(Duration.ofMillis(999)))
        .withMessage("pool \"p\": lease is 999ms: expected 1s to 3650d");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pool.withLease(DurationText.parse("999999999999d")))
        .withMessage("pool \"p\": lease is 999999999999d: expected 1s to 3650d");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pool.withQuarantine(Duration.ofDays(3651)))
        .withMessage("pool \"p\": quarantine is 3651d: expected 0s to 3650d");
  }

  @Test
  void ipv4IsEmbeddedOnlyWhereThereIsSome() {
    Ipv6Embedding embedding =
        new Ipv6Embedding(CidrBlock.parse("2001:db8:42::/96"), Ipv6Embedding.Source.IPV4);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> PoolSpec.of("p", blocks("0..1")).withIpv6(Optional.of(embedding)))
        .withMessage("pool \"p\": only an IPv4 value can be embedded, its blocks are not IPv4");
  }

  private static NumberRange one(int number) {
    return new NumberRange(number, number);
  }

  private static List<Block> blocks(String... texts) {
    return Stream.of(texts).map(Block::parse).toList();
  }
}
