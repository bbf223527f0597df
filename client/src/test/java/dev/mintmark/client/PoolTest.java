package dev.mintmark.client;

import static dev.mintmark.client.ScriptedServer.CLAIM;
import static dev.mintmark.client.ScriptedServer.json;
import static dev.mintmark.client.ScriptedServer.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;

import dev.mintmark.client.ClaimResult.AlreadyHeld;
import dev.mintmark.client.ClaimResult.Granted;
import dev.mintmark.client.ClaimResult.Reason;
import dev.mintmark.client.ClaimResult.Rejected;
import dev.mintmark.client.ScriptedServer.Asked;
import dev.mintmark.fixtures.Patience;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a pool sends, and what it makes of the answers. */
class PoolTest {
  private final ScriptedServer server = new ScriptedServer(json(201, CLAIM));

  private final Pool pool =
      MintmarkClient.builder(server.uri())
          .apiKey("mmk_1")
          .connectTimeout(Patience.MAX)
          .answerTimeout(Patience.MAX)
          .build()
          .pool("codes");

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aClaimHasAllThatTheServerSays() {
    ClaimResult result = pool.claim("vm-1");

    Claim claim =
        new Claim(
            "codes",
            "7",
            "vm-1",
            0,
            Optional.empty(),
            12,
            Instant.parse("2026-11-22T12:00:00Z"),
            Optional.of(Instant.parse("2026-11-22T12:00:30.5Z")),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    assertThat(result).isEqualTo(new Granted(List.of(claim)));
    assertThat(result.orElseThrow()).isEqualTo(claim);
    assertThat(server.asked())
        .containsExactly(
            new Asked(
                "POST",
                "/v1/pools/codes/claims",
                "{\"client\":\"vm-1\"}",
                List.of("Bearer mmk_1"),
                "null"));
  }

  @Test
  void everyOptionIsSent() {
    server.next(json(200, "{\"claims\": [%s, %s]}".formatted(CLAIM, CLAIM)));

    ClaimResult result =
        pool.claim(
            "vm-1",
            ClaimOptions.DEFAULT
                .withOwner("acme")
                .withSlot(3)
                .withCount(2)
                .withLease(Duration.ofMinutes(90))
                .withNote(
                    ClaimNote.of(Map.of("rack", "b7")).withDnsName("a.b").withDescription("D")));

    assertThat(result).isInstanceOf(AlreadyHeld.class);
    assertThat(result.claims()).hasSize(2);
    assertThat(server.asked().get(0).body())
        .isEqualTo(
            "{\"owner\":\"acme\",\"slot\":3,\"count\":2,\"lease\":\"1h30m\",\"note\":{\"labels\":"
                + "{\"rack\":\"b7\"},\"dns_name\":\"a.b\",\"description\":\"D\"},\"client\":\"vm-1\"}");
  }

  @ParameterizedTest
  @CsvSource({
    "409, pool-exhausted, EXHAUSTED",
    "409, quota-reached, QUOTA_REACHED",
    "409, value-taken, VALUE_TAKEN",
    "409, granted-elsewhere, ELSEWHERE",
    "403, not-open, NOT_OPEN",
    "403, foreign-client, FOREIGN_CLIENT",
    "503, database-set-back, STOPPED",
  })
  void aRejectionIsAResultAndIsNotRepeated(int status, String code, Reason reason) {
    server.next(problem(status, code, "Retry-After", "30"));

    ClaimResult result = pool.claim("vm-1");

    Problem problem = new Problem(code, status, "it is so", Optional.of(Duration.ofSeconds(30)));
    assertThat(result).isEqualTo(new Rejected(problem));
    assertThat(((Rejected) result).reason()).isEqualTo(reason);
    assertThat(result.claims()).isEmpty();
    assertThatExceptionOfType(ProblemException.class)
        .isThrownBy(result::orElseThrow)
        .satisfies(e -> assertThat(e.problem()).isEqualTo(problem))
        .withMessage("it is so [" + code + "]");
    assertThat(server.asked()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "400, invalid-request",
    "401, key-rejected",
    "403, insufficient-scope",
    "404, pool-not-found",
    "418, added-later",
    "500, internal-error"
  })
  void anotherProblemIsAnExceptionAndIsNotRepeated(int status, String code) {
    server.next(problem(status, code));

    assertThatExceptionOfType(ProblemException.class)
        .isThrownBy(() -> pool.claim("vm-1"))
        .satisfies(e -> assertThat(e.code()).isEqualTo(code))
        .satisfies(e -> assertThat(e.status()).isEqualTo(status))
        .satisfies(e -> assertThat(e.detail()).isEqualTo("it is so"))
        .satisfies(e -> assertThat(e.retryAfter()).isEmpty());
    assertThat(server.asked()).hasSize(1);
  }

  @Test
  void manyClientsHaveResultsInTheirOrder() {
    server.next(
        json(
            200,
            """
            {"outcomes": [
              {"client": "b", "status": 201, "claim": %s, "code": null, "detail": null, "retry_after": null},
              {"client": "a", "status": 200, "claim": %s, "code": null, "detail": null, "retry_after": null},
              {"client": "c", "status": 409, "claim": null, "code": "pool-exhausted", "detail": "D", "retry_after": 2},
              {"client": "d", "status": 418, "claim": null, "code": "added-later", "detail": "D", "retry_after": null}]}
            """
                .formatted(CLAIM, CLAIM)));

    Map<String, ClaimResult> results = pool.claimAll(List.of("b", "a", "c", "d"));

    assertThat(results.keySet()).containsExactly("b", "a", "c", "d");
    assertThat(results.get("b")).isInstanceOf(Granted.class);
    assertThat(results.get("a")).isInstanceOf(AlreadyHeld.class);
    assertThat(results.get("c"))
        .isEqualTo(
            new Rejected(
                new Problem("pool-exhausted", 409, "D", Optional.of(Duration.ofSeconds(2)))));
    assertThat(results.get("d"))
        .isInstanceOfSatisfying(
            Rejected.class, rejected -> assertThat(rejected.reason()).isEqualTo(Reason.OTHER));
    assertThatExceptionOfType(AnswerException.class)
        .as("results of others")
        .isThrownBy(() -> pool.claimAll(List.of("a")));
  }

  @Test
  void limitsOfManyClientsAreChecked() {
    List<String> tooMany = IntStream.range(0, 1_025).mapToObj(i -> "vm-" + i).toList();

    for (List<String> clients : List.of(List.<String>of(), List.of("a", "a"), tooMany)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> pool.claimAll(clients))
          .withMessage(clients.size() + " clients: expected 1 to 1024 different ones");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pool.claimAll(List.of("a"), ClaimOptions.DEFAULT.withCount(2)));
    assertThat(server.asked()).isEmpty();
  }

  /** An encoder would write the same question mark for each of them. */
  @ParameterizedTest
  @ValueSource(strings = {"", "\ud800", "a\udfffb", "a\nb", "\u0085"})
  void aNameThatCannotBeSentIsRejected(String name) {
    assertThatIllegalArgumentException().isThrownBy(() -> pool.claim(name));
    assertThatIllegalArgumentException().isThrownBy(() -> pool.claimAll(List.of(name)));
    assertThatIllegalArgumentException().isThrownBy(() -> pool.find(name));
    assertThatIllegalArgumentException().isThrownBy(() -> ClaimFilter.ofClient(name));
    assertThatIllegalArgumentException().isThrownBy(() -> ClaimFilter.ofOwner(name));
    assertThatIllegalArgumentException().isThrownBy(() -> ClaimOptions.DEFAULT.withOwner(name));
    assertThat(server.asked()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {".", ".."})
  void aValueIsNoDirectory(String value) {
    assertThatIllegalArgumentException().isThrownBy(() -> pool.release(value, 1));
  }

  @Test
  void aValueIsEncodedAsAWhole() {
    server.next(json(200, CLAIM));

    pool.find("10.0.0.0/24 ä%+?");

    assertThat(server.asked().get(0).uri())
        .isEqualTo("/v1/pools/codes/claims/10.0.0.0%2F24%20%C3%A4%25%2B%3F");
  }

  @Test
  void claimsAreRenewedReleasedAndWrittenAbout() {
    Claim claim = pool.claim("vm-1").orElseThrow();

    server.next(json(200, CLAIM));
    assertThat(pool.renew(claim)).isEqualTo(new RenewResult.Renewed(claim));
    assertThat(pool.renew("7", 12, Optional.of(Duration.ofSeconds(30))))
        .isEqualTo(new RenewResult.Renewed(claim));
    server.next(
        json(200, "{\"labels\": {\"a\": \"b\"}, \"dns_name\": null, \"description\": null}"));
    assertThat(pool.setNote(claim, ClaimNote.of(Map.of("a", "b"))))
        .isEqualTo(new NoteResult.Noted(ClaimNote.of(Map.of("a", "b"))));
    server.next(json(204, ""));
    assertThat(pool.release(claim)).isEqualTo(new ReleaseResult.Released("codes", "7"));

    String path = "/v1/pools/codes/claims/7";
    List<String> key = List.of("Bearer mmk_1");
    assertThat(server.asked().subList(1, 5))
        .containsExactly(
            new Asked("POST", path + "/renewal", "{}", key, "\"12\""),
            new Asked("POST", path + "/renewal", "{\"lease\":\"30s\"}", key, "\"12\""),
            new Asked("PUT", path + "/note", "{\"labels\":{\"a\":\"b\"}}", key, "\"12\""),
            new Asked("DELETE", path, "", key, "\"12\""));
  }

  @Test
  void aLostClaimIsAResult() {
    Claim claim = pool.claim("vm-1").orElseThrow();

    server.next(problem(404, "claim-not-found"));
    NotHeld notHeld = new NotHeld("codes", "7");
    assertThat(pool.renew(claim)).isEqualTo(notHeld);
    assertThat(pool.release(claim)).isEqualTo(notHeld);
    assertThat(pool.setNote(claim, ClaimNote.NONE)).isEqualTo(notHeld);
    assertThat(pool.find("7")).isEmpty();
    server.next(problem(412, "token-superseded"));
    Superseded superseded = new Superseded("codes", "7");
    assertThat(pool.renew(claim)).isEqualTo(superseded);
    assertThat(pool.release(claim)).isEqualTo(superseded);
    assertThat(pool.setNote(claim, ClaimNote.NONE)).isEqualTo(superseded);
    server.next(problem(404, "pool-not-found"));
    for (Runnable each :
        List.<Runnable>of(
            () -> pool.renew(claim), () -> pool.release(claim), () -> pool.find("7"))) {
      assertThatExceptionOfType(ProblemException.class)
          .isThrownBy(each::run)
          .satisfies(e -> assertThat(e.code()).isEqualTo("pool-not-found"));
    }
  }

  /** A page of a proxy to sign in, for example. */
  @ParameterizedTest
  @ValueSource(ints = {200, 202, 302})
  void nothingIsReleasedByAnAnswerOfAnother(int status) {
    server.next(ScriptedServer.answer(status, "text/html", "<html>"));

    assertThatExceptionOfType(AnswerException.class).isThrownBy(() -> pool.release("7", 12));
    assertThatExceptionOfType(AnswerException.class).isThrownBy(() -> pool.find("7"));
    assertThatExceptionOfType(AnswerException.class).isThrownBy(() -> pool.claim("vm-1"));
  }

  @Test
  void aClaimOfAnotherPoolIsRejected() {
    Claim claim = pool.claim("vm-1").orElseThrow();
    Pool other = MintmarkClient.of(server.uri()).pool("other");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> other.release(claim))
        .withMessage("the claim is of pool \"codes\": expected one of pool \"other\"");
  }

  @Test
  void pagesAreReadWhenTheyAreNeeded() {
    String page = "{\"claims\": [%s, %s], \"next\": \"8 9\"}".formatted(CLAIM, CLAIM);
    server.next(json(200, page));
    Stream<Claim> claims =
        pool.claims(ClaimFilter.ofClient("vm-1&2").withOwnerPrefix("a").withLabel("k", "v:w"));
    assertThat(server.asked()).isEmpty();

    var read = claims.iterator();
    read.next();
    read.next();
    assertThat(server.asked()).hasSize(1);
    server.next(json(200, "{\"claims\": [], \"next\": null}"));
    assertThat(read.hasNext()).isFalse();
    assertThat(read.hasNext()).isFalse();

    String query =
        "/v1/pools/codes/claims?client=vm-1%262&label=k%3Av%3Aw&owner_prefix=a&limit=1000";
    assertThat(server.asked())
        .extracting(Asked::uri)
        .containsExactly(query, query + "&after=8%209");
  }

  @Test
  void aPageThatIsItsOwnNextIsAnError() {
    server.next(json(200, "{\"claims\": [], \"next\": \"8\"}"));

    assertThatExceptionOfType(AnswerException.class)
        .isThrownBy(() -> pool.claims(ClaimFilter.ALL).count());
  }

  @Test
  void claimsOfAFilterAreReleasedPageByPage() {
    server.answers(
        json(200, "{\"released\": [%s, %s], \"next\": \"8 9\"}".formatted(CLAIM, CLAIM)),
        json(200, "{\"released\": [%s], \"next\": null}".formatted(CLAIM)));

    long released = pool.releaseAll(ClaimFilter.ofOwner("acme").withLabel("k", "v:w"));

    assertThat(released).isEqualTo(3);
    String select = "{\"select\":{\"label\":\"k:v:w\",\"owner\":\"acme\"},\"limit\":1000";
    assertThat(server.asked())
        .extracting(Asked::method, Asked::uri, Asked::body)
        .containsExactly(
            tuple("POST", "/v1/pools/codes/releases", select + "}"),
            tuple("POST", "/v1/pools/codes/releases", select + ",\"after\":\"8 9\"}"));
  }

  @Test
  void claimsOfAFilterAreRenewed() {
    server.next(json(200, "{\"renewed\": [%s], \"next\": null}".formatted(CLAIM)));

    long renewed = pool.renewAll(ClaimFilter.ofClient("vm-1"), Optional.of(Duration.ofSeconds(90)));

    assertThat(renewed).isEqualTo(1);
    assertThat(server.asked())
        .extracting(Asked::uri, Asked::body)
        .containsExactly(
            tuple(
                "/v1/pools/codes/renewals",
                "{\"select\":{\"client\":\"vm-1\"},\"limit\":1000,\"lease\":\"1m30s\"}"));
  }

  @Test
  void allClaimsAreNotChangedAtOnce() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pool.releaseAll(ClaimFilter.ALL))
        .withMessage("the filter selects all claims: expected a client, an owner or a label");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pool.renewAll(ClaimFilter.ofClient("a"), Optional.of(Duration.ZERO)));
    assertThat(server.asked()).isEmpty();
  }

  @Test
  void aReleaseThatIsItsOwnNextIsAnError() {
    server.next(json(200, "{\"released\": [], \"next\": \"8\"}"));

    assertThatExceptionOfType(AnswerException.class)
        .isThrownBy(() -> pool.releaseAll(ClaimFilter.ofClient("a")));
  }

  @Test
  void aPoolWithoutALeaseIsNotKeptAlive() {
    Claim claim = pool.claim("vm-1").orElseThrow();
    server.next(json(200, "{\"name\": \"codes\", \"lease\": null}"));

    assertThatIllegalStateException()
        .isThrownBy(() -> pool.keepAlive(claim))
        .withMessage("pool \"codes\": its claims do not expire");
  }
}
