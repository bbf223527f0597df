package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.postgres.pool.PoolDensity.Part;
import dev.mintmark.postgres.pool.PoolStats.BlockStats;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Where in a pool values are used. */
@Tag("slow")
class PoolSurveyTest {
  private final TestDatabase database = TestDatabase.create();
  private final Pools pools = Pools.over(database.dataSource());

  @AfterEach
  void close() {
    pools.close();
  }

  @Test
  void partsOfAddressesAreBlocksThatZoomToOneAddress() {
    Pool pool = create(PoolSpec.of("p", List.of(Block.parse("10.0.0.0/8"))));
    hold(pool, "10.200.3.77");

    PoolDensity all = pool.survey().density(Optional.empty(), Optional.empty(), 256);
    assertThat(all.partSize()).isEqualTo(65_536);
    assertThat(all.parts()).hasSize(256);
    assertThat(all.parts().get(0).first()).isEqualTo("10.0.0.1");
    assertThat(all.parts().get(255).last()).isEqualTo("10.255.255.254");
    assertThat(sum(all, Part::size)).isEqualTo((1 << 24) - 2);

    Part held = onlyHeld(all);
    assertThat(held.cidr()).hasValue("10.200.0.0/16");
    held = onlyHeld(zoom(pool, held));
    assertThat(held.cidr()).hasValue("10.200.3.0/24");
    held = onlyHeld(zoom(pool, held));
    assertThat(held.cidr()).hasValue("10.200.3.77/32");
    assertThat(held.first()).isEqualTo("10.200.3.77").isEqualTo(held.last());
  }

  @Test
  void countsTheWholeOfANetworkOfIpv6() {
    Pool pool = create(PoolSpec.of("p", List.of(Block.parse("2001:db8::/64"))));
    hold(pool, "2001:db8::ffff:0:0:1");

    PoolDensity density = pool.survey().density(Optional.empty(), Optional.empty(), 256);

    assertThat(density.partSize()).isEqualTo(BigInteger.ONE.shiftLeft(56));
    assertThat(density.parts()).hasSize(256);
    assertThat(sum(density, Part::size)).isEqualTo(BigInteger.ONE.shiftLeft(64));
    assertThat(onlyHeld(density).cidr()).hasValue("2001:db8:0:0:ff00::/72");
  }

  /** The parts and the whole say the same, whatever happened before. */
  @Test
  void theSumOfTheParts() {
    long seed = 7;
    Random random = new Random(seed);
    Pool pool =
        create(PoolSpec.of("p", List.of(Block.parse("10.1.0.0/24"), Block.parse("10.2.0.0/25"))));
    for (int i = 0; i < 60; i++) {
      if (random.nextInt(4) == 0) {
        pool.quarantine("10.2.0." + random.nextInt(1, 127), Duration.ofHours(1));
      } else {
        pool.claim(ClaimRequest.of("c" + i).withValue("10.1.0." + random.nextInt(1, 255)));
      }
    }
    for (int i = 0; i < 40; i++) {
      pool.exclude(List.of(Block.parse("10.1.0." + random.nextInt(1, 255))));
    }
    pool.drain("10.2.0.0/25", true);

    BlockStats total = pool.stats().total();
    for (int parts : new int[] {1, 7, 64, 256}) {
      PoolDensity density = pool.survey().density(Optional.empty(), Optional.empty(), parts);
      assertThat(sum(density, Part::size)).isEqualTo(254 + 126);
      assertThat(sum(density, Part::held)).as("seed %d", seed).isEqualTo(total.held());
      assertThat(sum(density, Part::quarantined)).isEqualTo(total.quarantined());
      assertThat(sum(density, Part::free)).as("seed %d", seed).isEqualTo(total.free());
      assertThat(sum(density, Part::neverIssued)).isEqualTo(total.neverIssued());
      assertThat(sum(density, Part::draining)).isEqualTo(total.draining());
    }
  }

  @Test
  void aRangeIsWidenedToWholeParts() {
    Pool pool =
        create(PoolSpec.of("p", List.of(Block.parse("0..1023"), Block.parse("2000..2003"))));

    PoolDensity density = pool.survey().density(Optional.of("5"), Optional.of("1000"), 4);

    assertThat(density.parts())
        .extracting(part -> part.first() + "-" + part.last())
        .containsExactly("0-255", "256-511", "512-767", "768-1023");
    assertThat(density.parts()).allMatch(part -> part.cidr().isEmpty());
    assertThat(pool.survey().density(Optional.of("1023"), Optional.empty(), 256).parts())
        .extracting(Part::first)
        .containsExactly("1023", "2000", "2001", "2002", "2003");
  }

  @Test
  void findsTheNearestValueThatIsHeld() {
    Pool pool = create(PoolSpec.of("p", List.of(Block.parse("2001:db8::/64"))));
    hold(pool, "2001:db8::5");
    hold(pool, "2001:db8::ffff:ffff:ffff:ffff");
    PoolSurvey survey = pool.survey();

    assertThat(survey.heldAfter(Optional.empty()).map(Claim::value)).hasValue("2001:db8::5");
    assertThat(survey.heldAfter(Optional.of("2001:db8::5")).map(Claim::value))
        .hasValue("2001:db8::ffff:ffff:ffff:ffff");
    assertThat(survey.heldBefore("2001:db8::ffff:ffff:ffff:ffff").map(Claim::value))
        .hasValue("2001:db8::5");
    assertThat(survey.heldBefore("2001:db8::5")).isEmpty();
  }

  @Test
  void listsQuarantinedValuesByPage() {
    Pool pool = create(PoolSpec.of("p", List.of(Block.parse("1..9"))));
    for (String value : List.of("7", "2", "4")) {
      pool.quarantine(value, Duration.ofHours(1));
    }

    assertThat(pool.survey().quarantined(Optional.empty(), 2))
        .extracting(QuarantinedValue::value)
        .containsExactly("2", "4");
    assertThat(pool.survey().quarantined(Optional.of("4"), 2))
        .extracting(QuarantinedValue::value)
        .containsExactly("7");
  }

  /** The block is read after the list: a program may have one connection. */
  @Test
  void listsQuarantinedValuesOfABlockThatWasAddedMeanwhile() {
    Pool pool = create(PoolSpec.of("p", List.of(Block.parse("1..9"))));
    try (HikariDataSource one = database.connectionPool(1, Duration.ofMinutes(1));
        Pools narrow = Pools.over(one)) {
      Pool stale = narrow.open("p");
      pool.addBlock(Block.parse("20..29"), List.of());
      pool.quarantine("20", Duration.ofHours(1));

      assertThat(stale.survey().quarantined(Optional.empty(), 9))
          .extracting(QuarantinedValue::value)
          .containsExactly("20");
    }
  }

  @Test
  void wrongRangesAreRejected() {
    Pool pool = create(PoolSpec.of("p", List.of(Block.parse("1..9"), Block.parse("20..29"))));
    PoolSurvey survey = pool.survey();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> survey.density(Optional.empty(), Optional.empty(), 257))
        .withMessage("parts is 257: expected 1 to 256");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> survey.density(Optional.of("25"), Optional.of("3"), 4))
        .withMessageContaining("expected a range in the order of the pool");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> survey.density(Optional.of("5"), Optional.of("3"), 4))
        .withMessageContaining("expected a range in the order of the pool");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> survey.density(Optional.of("10"), Optional.empty(), 4));
  }

  private static PoolDensity zoom(Pool pool, Part part) {
    return pool.survey().density(Optional.of(part.first()), Optional.of(part.last()), 256);
  }

  private static Part onlyHeld(PoolDensity density) {
    List<Part> held = density.parts().stream().filter(part -> part.held().signum() > 0).toList();
    assertThat(held).hasSize(1);
    return held.get(0);
  }

  private static BigInteger sum(PoolDensity density, Function<Part, BigInteger> count) {
    return density.parts().stream().map(count).reduce(BigInteger.ZERO, BigInteger::add);
  }

  private static void hold(Pool pool, String value) {
    ClaimResult result = pool.claim(ClaimRequest.of("of-" + value).withValue(value));
    assertThat(result).isInstanceOf(ClaimResult.Granted.class);
  }

  private Pool create(PoolSpec spec) {
    assertThat(pools.create(spec)).isTrue();
    return pools.open(spec.name());
  }
}
