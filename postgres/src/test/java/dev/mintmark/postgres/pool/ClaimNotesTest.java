package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.ThreadPerTask;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Labels, DNS names and descriptions of claims. */
@Tag("database")
class ClaimNotesTest {
  private static final ClaimNote WEB =
      ClaimNote.of(Map.of("rack", "b7", "env", "prod"))
          .withDnsName(Optional.of("web-1.example.com"))
          .withDescription(Optional.of("The first web server"));

  private final TestDatabase database = TestDatabase.create();
  private final Pools pools = Pools.over(database.dataSource());

  @AfterEach
  void close() {
    assertThat(PoolInvariants.violations(database)).isEmpty();
    pools.close();
  }

  @Test
  void aRequestWritesAboutWhatItIsGrantedAndAboutWhatIsHeldAlready() {
    Pool pool = create(Optional.empty());

    Claim claim = claim(pool, ClaimRequest.of("a").withNote(WEB));

    assertThat(pool.notes().of(claim.token())).isEqualTo(WEB);
    ClaimNote other = ClaimNote.of(Map.of("rack", "b8"));
    assertThat(pool.claim(ClaimRequest.of("a").withNote(other))).isInstanceOf(AlreadyHeld.class);
    assertThat(pool.notes().of(claim.token())).isEqualTo(other);
    assertThat(pool.claim(ClaimRequest.of("a"))).isInstanceOf(AlreadyHeld.class);
    assertThat(pool.notes().of(claim.token())).as("not changed").isEqualTo(other);
  }

  @Test
  void aRequestWritesNothingAboutWhatTheClientHoldsForAnotherOwner() {
    Pool pool = create(Optional.empty());
    ClaimRequest noted = ClaimRequest.of("a").withNote(WEB);
    Claim claim = claim(pool, noted.withOwner("acme"));
    Claim ownerless = claim(pool, ClaimRequest.of("b").withNote(WEB));
    ClaimNote other = ClaimNote.of(Map.of("rack", "b8"));

    for (String client : List.of("a", "b")) {
      ClaimRequest foreign = ClaimRequest.of(client).withOwner("initech").withNote(other);
      assertThat(pool.claim(foreign)).isInstanceOf(AlreadyHeld.class);
      assertThat(pool.claim(foreign.withValue((client.equals("a") ? claim : ownerless).value())))
          .isInstanceOf(AlreadyHeld.class);
    }

    assertThat(pool.notes().of(claim.token())).isEqualTo(WEB);
    assertThat(pool.notes().of(ownerless.token())).isEqualTo(WEB);
    pool.claim(noted.withNote(other).withOwner("acme"));
    assertThat(pool.notes().of(claim.token())).isEqualTo(other);
    pool.claim(noted);
    assertThat(pool.notes().of(claim.token())).as("a request without an owner").isEqualTo(WEB);
  }

  @Test
  void aNoteIsReplacedAndDeletedByTheTokenOfItsClaim() {
    Pool pool = create(Optional.empty());
    Claim claim = claim(pool, ClaimRequest.of("a"));
    assertThat(pool.notes().of(claim.token())).isEqualTo(ClaimNote.NONE);

    assertThat(pool.notes().set(claim.value(), claim.token(), WEB))
        .isEqualTo(new NoteResult.Noted(WEB));
    assertThat(pool.notes().of(claim.token())).isEqualTo(WEB);
    assertThat(pool.notes().set(claim.value(), claim.token() + 1, ClaimNote.NONE))
        .isEqualTo(new Superseded("p", claim.value()));
    String free = claim.value().equals("10.0.0.9") ? "10.0.0.8" : "10.0.0.9";
    assertThat(pool.notes().set(free, claim.token(), WEB))
        .as("the value is not held")
        .isEqualTo(new NotHeld("p", free));
    assertThat(pool.notes().of(claim.token())).isEqualTo(WEB);

    ClaimNote unset = ClaimNote.NONE;
    assertThat(pool.notes().set(claim.value(), claim.token(), unset))
        .isEqualTo(new NoteResult.Noted(unset));
    assertThat(pool.notes().of(claim.token())).isEqualTo(unset);
    assertThat(database.number("select count(*) from mintmark.pool_claim_label")).isZero();
  }

  @Test
  void claimsAreFoundByLabel() {
    Pool pool = create(Optional.of(Duration.ofDays(1)));
    Claim one = claim(pool, ClaimRequest.of("a").withNote(WEB));
    Claim two = claim(pool, labelled("b", "rack", "b70"));
    claim(pool, labelled("c", "room", "b7"));
    claim(pool, labelled("d", "rack", ""));

    assertThat(clients(pool, LabelMatch.exactly("rack", "b7"))).containsExactly("a");
    assertThat(clients(pool, LabelMatch.exactly("rack", ""))).containsExactly("d");
    assertThat(clients(pool, LabelMatch.startingWith("rack", "b7")))
        .containsExactlyInAnyOrder("a", "b");
    assertThat(clients(pool, LabelMatch.startingWith("rack", "")))
        .containsExactlyInAnyOrder("a", "b", "d");
    assertThat(clients(pool, LabelMatch.exactly("rack", "b"))).isEmpty();

    pool.exclude(List.of(Block.parse(two.value())));
    assertThat(
            pool.claims(
                ClaimFilter.EXCLUDED.withLabel(Optional.of(LabelMatch.startingWith("rack", "b"))),
                10))
        .extracting(Claim::client)
        .containsExactly("b");
    pool.notes().set(one.value(), one.token(), ClaimNote.of(Map.of("rack", "b9")));
    assertThat(clients(pool, LabelMatch.exactly("rack", "b7"))).isEmpty();
    assertThat(clients(pool, LabelMatch.exactly("rack", "b9"))).containsExactly("a");
  }

  @Test
  void theNoteOfAPastClaimIsKeptAsLongAsItsHistory() {
    Pool pool = create(Optional.of(Duration.ofDays(1)));
    Claim claim = claim(pool, ClaimRequest.of("a").withNote(WEB));
    pool.release(claim.value(), claim.token());
    Claim next = claim(pool, ClaimRequest.of("a").withValue(claim.value()));
    pools.sweep();

    assertThat(pool.notes().of(List.of(claim.token(), next.token())))
        .isEqualTo(Map.of(claim.token(), WEB));
    assertThat(history(pool, LabelMatch.exactly("rack", "b7")))
        .extracting(PastClaim::token)
        .containsExactly(claim.token());

    pools.prune("p", claim.claimedAt().plusSeconds(3600));
    assertThat(pool.notes().of(claim.token())).isEqualTo(ClaimNote.NONE);
  }

  @Test
  void aPoolWithoutHistoryKeepsNoNoteOfPastClaims() {
    Pool pool = create(Optional.empty());
    Claim claim = claim(pool, ClaimRequest.of("a").withNote(WEB));
    Claim held = claim(pool, ClaimRequest.of("b").withNote(WEB));
    pool.release(claim.value(), claim.token());

    pools.sweep();

    assertThat(pool.notes().of(List.of(claim.token(), held.token())))
        .isEqualTo(Map.of(held.token(), WEB));
  }

  @Test
  void theNotesOfADeletedPoolAreDeleted() {
    Pool pool = create(Optional.empty());
    claim(pool, ClaimRequest.of("a").withNote(WEB));

    assertThat(pools.delete("p")).isTrue();

    assertThat(database.number("select count(*) from mintmark.pool_claim_note")).isZero();
  }

  /** Each change replaces the labels that are searched by its own, whatever it waited for. */
  @Test
  void changesOfOneNoteTakeTurns() {
    Pool pool = create(Optional.empty());
    Claim claim = claim(pool, ClaimRequest.of("a"));

    List<CompletableFuture<Void>> changes =
        IntStream.range(0, 40)
            .mapToObj(
                i ->
                    CompletableFuture.runAsync(
                        () -> {
                          ClaimNote note = ClaimNote.of(Map.of("key" + i % 4, "v" + i));
                          var unused =
                              Session.repeated(
                                  () -> pool.notes().set(claim.value(), claim.token(), note));
                        },
                        ThreadPerTask.EXECUTOR))
            .toList();
    changes.forEach(CompletableFuture::join);

    assertThat(database.number("select count(*) from mintmark.pool_claim_label")).isEqualTo(1);
  }

  @Test
  void aTransactionOfTheCallerWritesNoNote() throws SQLException {
    Pool pool = create(Optional.empty());
    try (Connection connection = database.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> pool.claim(connection, ClaimRequest.of("a").withNote(WEB)))
          .withMessage(
              "pool \"p\": the request has a note: claim without it, then call notes().set");
    }
  }

  @Test
  void theViewOfClaimsShowsNotes() {
    Pool pool = create(Optional.empty());
    claim(pool, ClaimRequest.of("a").withNote(WEB));
    claim(pool, ClaimRequest.of("b"));

    assertThat(
            database.rows(
                """
                select client, labels->>'env', coalesce(dns_name, '-'), coalesce(description, '-')
                from mintmark.pool_claims
                where labels <> '{}' or client = 'b'
                order by client
                """))
        .containsExactly(
            List.of("a", "prod", "web-1.example.com", "The first web server"),
            List.of("b", "null", "-", "-"));
  }

  @Test
  void limitsAreChecked() {
    assertRejected(() -> ClaimNote.of(labels(17)), "17 labels: expected at most 16");
    assertThat(ClaimNote.of(labels(16)).labels()).hasSize(16);
    assertRejected(() -> ClaimNote.of(Map.of("", "v")), "label \"\": expected 1 to 64 characters");
    assertRejected(() -> ClaimNote.of(Map.of("k".repeat(65), "v")), "got 65");
    assertRejected(() -> ClaimNote.of(Map.of("a:b", "v")), "label \"a:b\": a key has no colon");
    assertRejected(() -> ClaimNote.of(Map.of("a", "v".repeat(257))), "got 257");
    assertRejected(() -> ClaimNote.of(Map.of("a", "\n")), "control character");
    assertRejected(
        () -> ClaimNote.NONE.withDescription(Optional.of("d".repeat(1_001))), "got 1001");
    assertRejected(() -> ClaimNote.NONE.withDnsName(Optional.of("a b")), "dns name \"a b\"");
    assertRejected(() -> ClaimNote.NONE.withDnsName(Optional.of("a..b")), "dns name \"a..b\"");
    assertThat(ClaimNote.NONE.withDnsName(Optional.of("*.example.com.")).dnsName()).isPresent();
  }

  private Pool create(Optional<Duration> history) {
    pools.create(PoolSpec.of("p", List.of(Block.parse("10.0.0.0/27"))).withHistory(history));
    return pools.open("p");
  }

  private static Claim claim(Pool pool, ClaimRequest request) {
    return ((Granted) pool.claim(request)).claim();
  }

  private static ClaimRequest labelled(String client, String key, String value) {
    return ClaimRequest.of(client).withNote(ClaimNote.of(Map.of(key, value)));
  }

  private static List<String> clients(Pool pool, LabelMatch label) {
    return pool.claims(ClaimFilter.ALL.withLabel(Optional.of(label)), 100).stream()
        .map(Claim::client)
        .toList();
  }

  private static List<PastClaim> history(Pool pool, LabelMatch label) {
    PastClaim.Filter filter =
        new PastClaim.Filter(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of(label),
            Optional.empty());
    return pool.history(filter, OptionalLong.empty(), 10);
  }

  private static Map<String, String> labels(int count) {
    Map<String, String> labels = new HashMap<>();
    for (int i = 0; i < count; i++) {
      labels.put("k" + i, "");
    }
    return labels;
  }

  private static void assertRejected(Runnable call, String message) {
    assertThatIllegalArgumentException().isThrownBy(call::run).withMessageContaining(message);
  }
}
