package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.ValueList;
import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Exhausted;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.ClaimResult.QuotaReached;
import dev.mintmark.postgres.pool.ClaimResult.ValueTaken;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;

/** Every statement of pools runs, and means the same, on every version of PostgreSQL. */
@Tag("slow")
class PoolVersionsTest {
  @OnServers
  void everyStatementDoesTheSameOnEveryVersion(TestServer server) {
    TestDatabase database = TestDatabase.create(server);
    try (Pools pools = Pools.over(database.dataSource())) {
      pools.create(
          PoolSpec.of("p", List.of(Block.parse("10.0.0.0/29")))
              .withPerClient(3)
              .withPerOwner(Optional.of(4))
              .withQuarantine(Duration.ofHours(1)));
      Pool pool = pools.open("p");
      ClaimRequest request = ClaimRequest.of("a").withOwner("o");

      Claim first = ((Granted) pool.claim(request)).claim();
      assertThat(pool.claim(request)).isInstanceOf(AlreadyHeld.class);
      assertThat(((Granted) pool.claim(request.withCount(3))).claims()).hasSize(3);
      ClaimRequest other = ClaimRequest.of("b").withOwner("o");
      assertThat(pool.claim(other.withValue(first.value()))).isInstanceOf(ValueTaken.class);
      assertThat(pool.claim(other)).isInstanceOf(Granted.class);
      assertThat(pool.claim(other.withSlot(1))).isInstanceOf(QuotaReached.class);
      assertThat(pool.renew(first.value(), first.token(), Optional.empty()))
          .isInstanceOf(RenewResult.Renewed.class);
      ClaimNote note = ClaimNote.of(Map.of("rack", "b7"));
      assertThat(pool.notes().set(first.value(), first.token(), note))
          .isEqualTo(new NoteResult.Noted(note));
      assertThat(
              pool.claims(
                  ClaimFilter.ALL
                      .withClient(Optional.of(NameMatch.startingWith("a")))
                      .withOwner(Optional.of(NameMatch.startingWith("o")))
                      .withLabel(Optional.of(LabelMatch.startingWith("rack", "b"))),
                  10))
          .hasSize(1);
      assertThat(pool.release(first.value(), first.token()))
          .isInstanceOf(ReleaseResult.Released.class);
      assertThat(pool.map(0, 6).states()).matches("[fhq]{6}").contains("q");
      assertThat(((Granted) pool.claim(request)).claim().value())
          .as("given back while it rests")
          .isEqualTo(first.value());
      assertThat(pool.claim(ClaimRequest.of("c").withOwner("x").withCount(3)))
          .isInstanceOf(Exhausted.class);
      assertThat(pool.history(PastClaim.Filter.ALL, OptionalLong.empty(), 10)).hasSize(5);
      assertThat(pool.notes().of(first.token())).isEqualTo(note);
      assertThat(pools.prune("p", Instant.now().plusSeconds(3600))).isPositive();
      assertThat(pool.notes().of(first.token())).isEqualTo(ClaimNote.NONE);

      pools.sweep();
      Instant now = Instant.now();
      assertThat(pool.survey().usage(now.minusSeconds(3600), now.plusSeconds(60), 100).samples())
          .isNotEmpty();
      assertThat(pool.many().renew(ClaimFilter.ofOwner("o"), Optional.empty(), 2).changed())
          .hasSize(2);
      Claim last = pool.claims(ClaimFilter.ofClient("b"), 1).get(0);
      assertThat(pool.many().release(ClaimFilter.ofClient("b"), 10).changed())
          .extracting(ended -> ended.claim().value())
          .containsExactly(last.value());

      assertThat(pool.survey().standings(List.of(first.value(), "10.9.9.9")))
          .extracting(ValueStanding::exists, ValueStanding::holder)
          .containsExactly(tuple(true, Optional.of("a")), tuple(false, Optional.empty()));
      pool.addBlock(Block.parse("10.1.0.0/30"), List.of());
      assertThat(pool.quarantine("10.1.0.1", Duration.ofHours(1))).isPresent();
      pool.quarantineAll(Duration.ofHours(1));
      assertThat(pool.claim(ClaimRequest.of("d").withOwner("y"))).isInstanceOf(Exhausted.class);
      assertThat(pool.drain("10.0.0.0/29", true)).isTrue();
      assertThat(pool.removeBlock("10.0.0.0/29")).isFalse();
      assertThat(pool.drain("10.0.0.0/29", false)).isTrue();
      assertThat(pools.sweep()).isZero();

      assertThat(pool.exclude(List.of(Block.parse("10.0.0.0/29")))).isTrue();
      assertThat(pool.claims(ClaimFilter.EXCLUDED, 10))
          .isNotEmpty()
          .isEqualTo(pool.claims(ClaimFilter.ALL, 10));
      assertThat(pool.include(List.of(Block.parse("10.0.0.0/30")))).isTrue();
      assertThat(PoolInvariants.violations(database)).isEmpty();

      pools.create(PoolSpec.of("codes", List.of(ValueList.of("list", List.of("X", "Y")))));
      assertThat(((Granted) pools.open("codes").claim(ClaimRequest.of("a"))).claim().value())
          .isIn("X", "Y");
      assertThat(PoolInvariants.violations(database)).isEmpty();
      assertThat(pools.delete("p")).isTrue();
      assertThat(PoolInvariants.violations(database)).isEmpty();
    }
  }
}
