package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.TestDatabase;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Claims are found by a part of the name of their client or owner. */
@Tag("database")
class ClaimSearchTest {
  private final TestDatabase database = TestDatabase.create();
  private final Pools pools = Pools.over(database.dataSource());

  @AfterEach
  void close() {
    assertThat(PoolInvariants.violations(database)).isEmpty();
    pools.close();
  }

  @Test
  void claimsAreFoundByThePrefixOfTheirClientAndOwner() {
    Pool pool = create();
    claim(pool, "vm-4", "acme");
    claim(pool, "vm-40", "acme-test");
    claim(pool, "vm-5", "globex");
    claim(pool, "VM-4", "acme");

    assertThat(clients(pool, clientPrefix("vm-4"))).containsExactlyInAnyOrder("vm-4", "vm-40");
    assertThat(clients(pool, clientPrefix("vm-"))).hasSize(3);
    assertThat(clients(pool, clientPrefix("vm-400"))).isEmpty();
    assertThat(clients(pool, ownerPrefix("acme"))).hasSize(3);
    assertThat(clients(pool, ownerPrefix("acme").withClient(startingWith("vm"))))
        .containsExactlyInAnyOrder("vm-4", "vm-40");
    assertThat(clients(pool, ClaimFilter.ofClient("vm-4"))).containsExactly("vm-4");
  }

  @Test
  void charactersOfPatternsAreOrdinaryCharacters() {
    Pool pool = create();
    claim(pool, "a%c", "o");
    claim(pool, "abc", "o");
    claim(pool, "a_c", "o");

    assertThat(clients(pool, clientPrefix("a%"))).containsExactly("a%c");
    assertThat(clients(pool, clientPrefix("a_"))).containsExactly("a_c");
  }

  /** The text after those with the prefix is not always that with the next character. */
  @Test
  void prefixesMayEndWithAnyCharacter() {
    Pool pool = create();
    String last = Character.toString(Character.MAX_CODE_POINT);
    List<String> prefixes = List.of("~", "é", "\uD7FF", "😀", "x" + last, last);
    for (String prefix : prefixes) {
      claim(pool, prefix + "z", "o");
    }

    for (String prefix : prefixes) {
      assertThat(clients(pool, clientPrefix(prefix))).containsExactly(prefix + "z");
    }
  }

  @Test
  void excludedAndPastClaimsAreFoundByPrefixToo() {
    Pool pool = create();
    Claim held = claim(pool, "vm-1", "acme");
    Claim other = claim(pool, "db-1", "acme");
    pool.exclude(List.of(Block.parse(held.value()), Block.parse(other.value())));

    assertThat(clients(pool, ClaimFilter.EXCLUDED.withClient(startingWith("vm"))))
        .containsExactly("vm-1");
    pool.release(held.value(), held.token());
    assertThat(
            pool.history(
                new PastClaim.Filter(
                    Optional.empty(),
                    startingWith("vm"),
                    startingWith("ac"),
                    Optional.empty(),
                    Optional.empty()),
                OptionalLong.empty(),
                10))
        .extracting(PastClaim::token)
        .containsExactly(held.token());
    assertThat(
            pool.history(
                new PastClaim.Filter(
                    Optional.empty(),
                    startingWith("vm"),
                    startingWith("b"),
                    Optional.empty(),
                    Optional.empty()),
                OptionalLong.empty(),
                10))
        .isEmpty();
  }

  @Test
  void prefixesThatNoNameHasAreRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NameMatch.startingWith(""))
        .withMessage("prefix \"\": expected 1 to 255 characters, got 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NameMatch.startingWith("a\tb"))
        .withMessageContaining("control character");
  }

  /** Reads the claims with the prefix, not those of the pool. */
  @Test
  @Tag("slow")
  void aPrefixIsLookedUpInAnIndex() {
    int claims = 5_000;
    try (HikariDataSource connections = database.connectionPool(1);
        Pools several = Pools.over(connections)) {
      several.create(PoolSpec.of("many", List.of(Block.parse("1..10000"))));
      Pool pool = several.open("many");
      List<CompletableFuture<ClaimResult>> answers =
          IntStream.range(0, claims)
              .mapToObj(i -> pool.claimAsync(ClaimRequest.of("c" + i).withOwner("o" + i)))
              .toList();
      answers.forEach(Session::join);
    }
    database.execute("vacuum analyze mintmark.pool_claim");
    String inserted = "select n_tup_ins from pg_stat_user_tables where relname = 'pool_claim'";
    Session.await("the counters of the claims", () -> database.number(inserted) >= claims);
    String read =
        """
        select sum(idx_tup_read)::bigint
          + (select seq_tup_read from pg_stat_user_tables where relname = 'pool_claim')
        from pg_stat_user_indexes where relname = 'pool_claim'
        """;
    long before = database.number(read);

    try (HikariDataSource connections = database.connectionPool(1);
        Pools several = Pools.over(connections)) {
      Pool pool = several.open("many");
      for (int i = 0; i < 10; i++) {
        assertThat(clients(pool, clientPrefix("c499"))).hasSize(11);
        assertThat(clients(pool, ownerPrefix("o499"))).hasSize(11);
      }
    }
    Session.await("the counters of the searches", () -> database.number(read) > before);
    assertThat(database.number(read) - before).isLessThan(claims);
  }

  private Pool create() {
    pools.create(PoolSpec.of("p", List.of(Block.parse("10.0.0.0/27"))));
    return pools.open("p");
  }

  private static Claim claim(Pool pool, String client, String owner) {
    ClaimResult result = pool.claim(ClaimRequest.of(client).withOwner(owner));
    return ((ClaimResult.Granted) result).claim();
  }

  private static ClaimFilter clientPrefix(String prefix) {
    return ClaimFilter.ALL.withClient(startingWith(prefix));
  }

  private static ClaimFilter ownerPrefix(String prefix) {
    return ClaimFilter.ALL.withOwner(startingWith(prefix));
  }

  private static Optional<NameMatch> startingWith(String prefix) {
    return Optional.of(NameMatch.startingWith(prefix));
  }

  private static List<String> clients(Pool pool, ClaimFilter filter) {
    return pool.claims(filter, 100).stream().map(Claim::client).toList();
  }
}
