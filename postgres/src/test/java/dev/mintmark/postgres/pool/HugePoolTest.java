package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Block;
import dev.mintmark.CidrBlock;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.postgres.pool.ClaimResult.Exhausted;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.ClaimResult.ValueTaken;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Pools that have more values than rows. */
@Tag("slow")
class HugePoolTest {
  private final TestDatabase database = TestDatabase.create();
  private final List<Pools> instances =
      Stream.generate(() -> Pools.over(database.dataSource())).limit(4).toList();

  @AfterEach
  void everyValueIsInJustOneState() {
    assertThat(PoolInvariants.violations(database)).isEmpty();
    instances.forEach(Pools::close);
  }

  @Test
  void aNetworkOfIpv6HasTwoToTheSixtyFourValuesAndFewRows() {
    PoolSpec spec =
        PoolSpec.of("p", List.of(Block.parse("2001:db8::/64")))
            .withExclude(List.of(Block.parse("2001:db8::8000:0:0:0/96")));
    Pool pool = create(spec);

    assertThat(pool.spec()).isEqualTo(spec);
    assertThat(pool.stats().total().capacity())
        .isEqualTo(BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE.shiftLeft(32)));
    assertThat(database.number("select count(*) from mintmark.pool_free")).isLessThan(5_000);
    String upperHalf = "2001:db8::ffff:ffff:ffff:ffff";
    assertThat(claim(pool, ClaimRequest.of("a").withValue(upperHalf)).value()).isEqualTo(upperHalf);
    assertThat(pool.claim(ClaimRequest.of("b").withValue(upperHalf)))
        .isInstanceOf(ValueTaken.class);
    assertThat(pool.stats().total().held()).isEqualTo(1);
  }

  @Test
  void claimsAreSpreadAndTellNothingOfTheNext() {
    Pool pool = create(PoolSpec.of("p", List.of(Block.parse("10.0.0.0/8"))));
    Block block = CidrBlock.parse("10.0.0.0/8");

    List<Long> places = new ArrayList<>();
    for (int i = 0; i < 80; i++) {
      String value = claim(pool, ClaimRequest.of("c" + i)).value();
      places.add(block.positionOf(value).orElseThrow());
    }

    assertThat(places).doesNotHaveDuplicates();
    assertThat(IntStream.range(1, 80).filter(i -> places.get(i) > places.get(i - 1)).count())
        .as("half of them come after the one before, give or take")
        .isBetween(15L, 65L);
    assertThat(IntStream.range(1, 80).filter(i -> isNext(places, i)).count()).isLessThan(5);
    assertThat(places.stream().filter(place -> place < block.size() / 2).count())
        .isBetween(15L, 65L);
  }

  @Test
  void instancesThatDrawAtOnceGiveNoValueTwice() {
    create(PoolSpec.of("p", List.of(Block.parse("10.0.0.0/8"))));
    database.execute(
        "insert into mintmark.pool_claim (pool_id, block_id, place, client, slot, token, claimed_at)"
            + " select pool_id, block_id, place, 'held-' || place, 0,"
            + " nextval('mintmark.pool_token'), now() from mintmark.pool_free");
    database.execute("delete from mintmark.pool_free");

    List<CompletableFuture<ClaimResult>> asked = new ArrayList<>();
    for (int i = 0; i < 6_000; i++) {
      asked.add(instances.get(i % 4).open("p").claimAsync(ClaimRequest.of("c" + i)));
    }
    List<ClaimResult> results = new ArrayList<>();
    for (int i = 0; i < 6_000; i++) {
      Pool pool = instances.get(i % 4).open("p");
      ClaimResult first = Session.join(asked.get(i));
      results.add(ClaimResults.decided(pool, ClaimRequest.of("c" + i), first));
    }

    assertThat(ClaimResults.values(results)).hasSize(6_000).doesNotHaveDuplicates();
    assertThat(database.number("select count(*) from mintmark.pool_claim where client like 'c%'"))
        .isEqualTo(6_000);
  }

  @Test
  void aPoolWithNothingButExclusionsIsExhausted() {
    Pool pool =
        create(
            PoolSpec.of("p", List.of(Block.parse("10.0.0.0/24"), Block.parse("10.0.1.7")))
                .withExclude(List.of(Block.parse("10.0.0.0/23"))));

    assertThat(pool.claim(ClaimRequest.of("a"))).isInstanceOf(Exhausted.class);
    assertThat(pool.stats().total().capacity()).isZero();
    pool.addBlock(Block.parse("10.0.9.9"), List.of());
    assertThat(claim(pool, ClaimRequest.of("a")).value()).isEqualTo("10.0.9.9");
  }

  @Test
  void exclusionsOfManySizesAreNeverHandedOut() {
    List<Block> exclude =
        Stream.of("10.0.0.0/26", "10.0.0.65", "10.0.0.128/25", "10.0.0.96/28", "10.0.0.97")
            .map(Block::parse)
            .toList();
    Pool pool =
        create(
            PoolSpec.of("p", List.of(Block.parse("10.0.0.0/24")))
                .withExclude(exclude)
                .withOrder(PoolSpec.Order.ASCENDING));

    List<String> values = new ArrayList<>();
    for (int i = 0; pool.claim(ClaimRequest.of("c" + i)) instanceof Granted granted; i++) {
      values.add(granted.claim().value());
    }

    assertThat(values)
        .isEqualTo(
            IntStream.range(64, 128)
                .filter(host -> host != 65 && (host < 96 || host > 111))
                .mapToObj(host -> "10.0.0." + host)
                .toList());
  }

  private static boolean isNext(List<Long> places, int i) {
    return Math.abs(places.get(i) - places.get(i - 1)) == 1;
  }

  private Pool create(PoolSpec spec) {
    assertThat(instances.get(0).create(spec)).isTrue();
    return instances.get(0).open(spec.name());
  }

  private static Claim claim(Pool pool, ClaimRequest request) {
    return ((Granted) pool.claim(request)).claim();
  }
}
