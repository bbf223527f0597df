package dev.mintmark.app.http;

import dev.mintmark.Quoted;
import dev.mintmark.app.service.ClaimRefusal;
import dev.mintmark.app.service.ClaimSearch;
import dev.mintmark.app.service.DurationKey;
import dev.mintmark.app.view.ClaimJson;
import dev.mintmark.app.view.ClaimListJson;
import dev.mintmark.app.view.ClaimPageJson;
import dev.mintmark.app.view.ClaimRequestJson;
import dev.mintmark.app.view.RenewalRequestJson;
import dev.mintmark.postgres.pool.Claim;
import dev.mintmark.postgres.pool.ClaimFilter;
import dev.mintmark.postgres.pool.ClaimResult;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Contended;
import dev.mintmark.postgres.pool.ClaimResult.Elsewhere;
import dev.mintmark.postgres.pool.ClaimResult.Exhausted;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.ClaimResult.NotOpen;
import dev.mintmark.postgres.pool.ClaimResult.QuotaReached;
import dev.mintmark.postgres.pool.ClaimResult.Stopped;
import dev.mintmark.postgres.pool.ClaimResult.TooManyClaims;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.postgres.pool.ReleaseResult;
import dev.mintmark.postgres.pool.RenewResult;
import dev.mintmark.postgres.pool.Superseded;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.UriComponentsBuilder;

/** {@code /v1/pools/{pool}/claims}: claims, renews and releases values of a pool. */
@RestController
@RequestMapping(
    path = "/v1/pools/{pool}/claims",
    produces = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_PROBLEM_JSON_VALUE})
class ClaimsController {
  /** A strong entity tag (RFC 9110 section 8.8.3) that holds a token. */
  private static final Pattern TOKEN_TAG = Pattern.compile("\"([0-9]{1,18})\"");

  /** A person has to decide before a stopped pool grants values again. */
  private static final Duration RETRY_WHEN_STOPPED = Duration.ofSeconds(30);

  private final Pools pools;

  ClaimsController(Pools pools) {
    this.pools = pools;
  }

  @PostMapping
  CompletableFuture<ResponseEntity<?>> createClaim(
      @PathVariable String pool, @RequestBody ClaimRequestJson body) {
    boolean several = body.count() != null;
    return pools
        .open(pool)
        .claimAsync(body.toRequest())
        .thenApply(result -> answer(result, several));
  }

  @GetMapping
  ClaimPageJson listClaims(
      @PathVariable String pool,
      @RequestParam(required = false) @Nullable String client,
      @RequestParam(required = false) @Nullable String owner,
      @RequestParam(required = false) @Nullable String after,
      @RequestParam(defaultValue = "false") boolean excluded,
      @RequestParam(required = false) @Nullable String ipv6,
      @RequestParam(defaultValue = "100") int limit) {
    ClaimSearch search =
        new ClaimSearch(
            new ClaimFilter(
                Optional.ofNullable(client),
                Optional.ofNullable(owner),
                Optional.ofNullable(after),
                excluded),
            Optional.ofNullable(ipv6),
            limit);
    return ClaimPageJson.of(search.in(pools.open(pool)));
  }

  @GetMapping("/{value}")
  ClaimJson getClaim(@PathVariable String pool, @PathVariable String value) {
    // Without an entity tag: the token identifies the claim, not a version of its JSON.
    return pools.open(pool).find(value).map(ClaimJson::of).orElseThrow(() -> notHeld(pool, value));
  }

  @PostMapping("/{value}/renewal")
  ResponseEntity<ClaimJson> renewClaim(
      @PathVariable String pool,
      @PathVariable String value,
      @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
      @RequestBody(required = false) @Nullable RenewalRequestJson body) {
    long token = token(ifMatch);
    Optional<String> lease = Optional.ofNullable(body).map(RenewalRequestJson::lease);
    RenewResult result =
        pools.open(pool).renew(value, token, lease.map(text -> DurationKey.parse("lease", text)));
    if (result instanceof RenewResult.Renewed renewed) {
      return held(HttpStatus.OK, renewed.claim());
    }
    throw result instanceof Superseded ? superseded(pool, value) : notHeld(pool, value);
  }

  @DeleteMapping("/{value}")
  ResponseEntity<Void> releaseClaim(
      @PathVariable String pool,
      @PathVariable String value,
      @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch) {
    long token = token(ifMatch);
    ReleaseResult result = pools.open(pool).release(value, token);
    if (result instanceof ReleaseResult.Released) {
      return ResponseEntity.noContent().build();
    }
    throw result instanceof Superseded ? superseded(pool, value) : notHeld(pool, value);
  }

  private static ResponseEntity<?> answer(ClaimResult result, boolean several) {
    if (result instanceof Granted granted) {
      return several
          ? held(HttpStatus.CREATED, granted.claims())
          : held(HttpStatus.CREATED, granted.claim());
    }
    if (result instanceof AlreadyHeld already) {
      return several ? held(HttpStatus.OK, already.claims()) : held(HttpStatus.OK, already.claim());
    }
    if (result instanceof Exhausted exhausted) {
      return retryLater(ProblemCode.POOL_EXHAUSTED, result, exhausted.retryAfter());
    }
    if (result instanceof Contended contended) {
      ProblemCode code =
          contended.owner().isPresent()
              ? ProblemCode.OWNER_CONTENDED
              : ProblemCode.VALUES_CONTENDED;
      return retryLater(code, result, contended.retryAfter());
    }
    if (result instanceof Stopped) {
      return retryLater(ProblemCode.DATABASE_SET_BACK, result, RETRY_WHEN_STOPPED);
    }
    if (result instanceof TooManyClaims fast) {
      return retryLater(ProblemCode.RATE_LIMITED, result, fast.retryAfter());
    }
    if (result instanceof NotOpen) {
      throw new ProblemException(ProblemCode.NOT_OPEN, ClaimRefusal.message(result));
    }
    if (result instanceof Elsewhere) {
      throw new ProblemException(ProblemCode.GRANTED_ELSEWHERE, ClaimRefusal.message(result));
    }
    ProblemCode code =
        result instanceof QuotaReached ? ProblemCode.QUOTA_REACHED : ProblemCode.VALUE_TAKEN;
    throw new ProblemException(code, ClaimRefusal.message(result));
  }

  private static ResponseEntity<?> retryLater(
      ProblemCode code, ClaimResult result, Duration retryAfter) {
    long seconds = Math.max(1, (retryAfter.toMillis() + 999) / 1_000);
    return Problems.answer(code.problem(ClaimRefusal.message(result)))
        .header(HttpHeaders.RETRY_AFTER, Long.toString(seconds))
        .build();
  }

  private static ResponseEntity<ClaimListJson> held(HttpStatus status, List<Claim> claims) {
    return ResponseEntity.status(status).body(ClaimListJson.of(claims));
  }

  private static ResponseEntity<ClaimJson> held(HttpStatus status, Claim claim) {
    ResponseEntity.BodyBuilder response =
        ResponseEntity.status(status).eTag(Long.toString(claim.token()));
    if (status == HttpStatus.CREATED) {
      response.location(
          UriComponentsBuilder.fromPath("/v1/pools/{pool}/claims/{value}")
              .build(claim.pool(), claim.value()));
    }
    return response.body(ClaimJson.of(claim));
  }

  private static long token(@Nullable String ifMatch) {
    if (ifMatch == null) {
      throw new ProblemException(
          ProblemCode.PRECONDITION_REQUIRED,
          "the If-Match header is missing: expected the claim's token in quotes, as \"12\"");
    }
    Matcher tag = TOKEN_TAG.matcher(ifMatch.strip());
    if (!tag.matches()) {
      throw new IllegalArgumentException(
          "If-Match is "
              + Quoted.of(ifMatch)
              + ": expected the claim's token in quotes, as \"12\"");
    }
    return Long.parseLong(tag.group(1));
  }

  private static ProblemException notHeld(String pool, String value) {
    return new ProblemException(
        ProblemCode.CLAIM_NOT_FOUND,
        "pool \"%s\": %s is not held".formatted(pool, Quoted.of(value)));
  }

  private static ProblemException superseded(String pool, String value) {
    return new ProblemException(
        ProblemCode.TOKEN_SUPERSEDED,
        "pool \"%s\": %s is held by a claim with another token".formatted(pool, Quoted.of(value)));
  }
}
