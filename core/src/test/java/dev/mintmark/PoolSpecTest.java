package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
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

  private static List<Block> blocks(String... texts) {
    return Stream.of(texts).map(Block::parse).toList();
  }
}
