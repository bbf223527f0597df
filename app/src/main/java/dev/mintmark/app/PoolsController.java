package dev.mintmark.app;

import dev.mintmark.DurationText;
import dev.mintmark.PoolSpec;
import dev.mintmark.Quoted;
import dev.mintmark.postgres.pool.Claim;
import dev.mintmark.postgres.pool.ClaimRequest;
import dev.mintmark.postgres.pool.ClaimResult;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Exhausted;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.PoolMap;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.postgres.pool.ReleaseResult;
import dev.mintmark.postgres.pool.RenewResult;
import dev.mintmark.postgres.pool.Superseded;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
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

/** {@code /v1/pools}: pools and what is claimed from them. */
@RestController
@RequestMapping(
    path = "/v1/pools",
    produces = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_PROBLEM_JSON_VALUE})
class PoolsController {
  /** A strong entity tag (RFC 9110 section 8.8.3) that holds a token. */
  private static final Pattern TOKEN_TAG = Pattern.compile("\"([0-9]{1,18})\"");

  private final Pools pools;

  PoolsController(Pools pools) {
    this.pools = pools;
  }

  /** All pools. */
  record AllPools(List<PoolJson.Standing> pools) {}

  /** Who claims, on whose behalf and for how long. */
  record ClaimBody(@Nullable String client, @Nullable String owner, @Nullable String lease) {}

  /** For how long from now. */
  record RenewalBody(@Nullable String lease) {}

  @GetMapping
  @Operation(summary = "All pools and how they stand")
  AllPools list() {
    return new AllPools(
        pools.names().stream().map(pools::open).map(PoolJson.Standing::of).toList());
  }

  @PostMapping
  @Operation(summary = "Create a pool")
  @ApiResponse(responseCode = "201", description = "created")
  @ApiResponse(responseCode = "409", description = "there is a pool of that name")
  ResponseEntity<?> create(@RequestBody PoolJson.Declaration declaration) {
    PoolSpec spec = declaration.toSpec();
    if (!pools.create(spec)) {
      return problem(HttpStatus.CONFLICT, "there is a pool \"" + spec.name() + "\" already");
    }
    return ResponseEntity.created(URI.create("/v1/pools/" + spec.name()))
        .body(PoolJson.Standing.of(pools.open(spec.name())));
  }

  @GetMapping("/{pool}")
  @Operation(summary = "One pool and how it stands")
  PoolJson.Standing get(@PathVariable String pool) {
    return PoolJson.Standing.of(pools.open(pool));
  }

  @GetMapping("/{pool}/map")
  @Operation(
      summary = "The state of every value in a stretch",
      description = "One letter each: f free, h held, q quarantined, x excluded.")
  ResponseEntity<PoolJson.Map> map(
      @PathVariable String pool,
      @RequestParam(defaultValue = "0") long from,
      @RequestParam(defaultValue = "" + Pool.MAP_MAX) int limit) {
    Pool open = pools.open(pool);
    PoolMap map = open.map(from, limit);
    String tag = Integer.toHexString(map.hashCode());
    return ResponseEntity.ok().eTag(tag).body(PoolJson.Map.of(open, map));
  }

  @PostMapping("/{pool}/claims")
  @Operation(summary = "Claim a value for a client")
  @ApiResponse(responseCode = "201", description = "granted")
  @ApiResponse(responseCode = "200", description = "the client held it already")
  @ApiResponse(responseCode = "409", description = "no value is free; Retry-After says when")
  CompletableFuture<ResponseEntity<?>> claim(
      @PathVariable String pool, @RequestBody ClaimBody body) {
    if (body.client == null) {
      throw new IllegalArgumentException("client is missing");
    }
    ClaimRequest request =
        ClaimRequest.of(body.client)
            .withOwner(Optional.ofNullable(body.owner))
            .withLease(Optional.ofNullable(body.lease).map(DurationText::parse));
    return pools.open(pool).claimAsync(request).thenApply(PoolsController::answer);
  }

  @GetMapping("/{pool}/claims")
  @Operation(summary = "Claims in the order of their values")
  PoolJson.Page claims(
      @PathVariable String pool,
      @RequestParam(required = false) @Nullable String client,
      @RequestParam(required = false) @Nullable String owner,
      @RequestParam(required = false) @Nullable String after,
      @RequestParam(defaultValue = "100") int limit) {
    List<Claim> claims =
        pools
            .open(pool)
            .claims(
                Optional.ofNullable(client),
                Optional.ofNullable(owner),
                Optional.ofNullable(after),
                limit);
    return PoolJson.Page.of(claims, limit);
  }

  @GetMapping("/{pool}/claims/{value}")
  @Operation(summary = "The claim of one value")
  @ApiResponse(responseCode = "404", description = "nobody holds it")
  ResponseEntity<?> claim(@PathVariable String pool, @PathVariable String value) {
    Optional<Claim> claim = pools.open(pool).find(value);
    // Without an entity tag: the token is one for changing the claim, and does not tell its
    // versions.
    return claim.isPresent()
        ? ResponseEntity.ok(PoolJson.Held.of(claim.get()))
        : notHeld(pool, value);
  }

  @PostMapping("/{pool}/claims/{value}/renewal")
  @Operation(summary = "Extend a claim from now")
  @ApiResponse(responseCode = "200", description = "renewed")
  @ApiResponse(responseCode = "404", description = "nobody holds the value")
  @ApiResponse(responseCode = "412", description = "another claim holds the value")
  @ApiResponse(responseCode = "428", description = "If-Match is missing")
  ResponseEntity<?> renew(
      @PathVariable String pool,
      @PathVariable String value,
      @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
      @RequestBody(required = false) @Nullable RenewalBody body) {
    if (ifMatch == null) {
      return tokenMissing();
    }
    Optional<String> lease = Optional.ofNullable(body).map(RenewalBody::lease);
    RenewResult result =
        pools.open(pool).renew(value, token(ifMatch), lease.map(DurationText::parse));
    if (result instanceof RenewResult.Renewed renewed) {
      return held(HttpStatus.OK, renewed.claim());
    }
    return result instanceof Superseded ? superseded(pool, value) : notHeld(pool, value);
  }

  @DeleteMapping("/{pool}/claims/{value}")
  @Operation(summary = "Give a value back")
  @ApiResponse(responseCode = "204", description = "given back")
  @ApiResponse(responseCode = "404", description = "nobody holds the value")
  @ApiResponse(responseCode = "412", description = "another claim holds the value")
  @ApiResponse(responseCode = "428", description = "If-Match is missing")
  ResponseEntity<?> release(
      @PathVariable String pool,
      @PathVariable String value,
      @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch) {
    if (ifMatch == null) {
      return tokenMissing();
    }
    ReleaseResult result = pools.open(pool).release(value, token(ifMatch));
    if (result instanceof ReleaseResult.Released) {
      return ResponseEntity.noContent().build();
    }
    return result instanceof Superseded ? superseded(pool, value) : notHeld(pool, value);
  }

  private static ResponseEntity<?> answer(ClaimResult result) {
    if (result instanceof Granted granted) {
      return held(HttpStatus.CREATED, granted.claim());
    }
    if (result instanceof AlreadyHeld already) {
      return held(HttpStatus.OK, already.claim());
    }
    if (!(result instanceof Exhausted exhausted)) {
      return problem(HttpStatus.CONFLICT, PoolCommand.refusal(result));
    }
    long seconds = Math.max(1, (exhausted.retryAfter().toMillis() + 999) / 1_000);
    ProblemDetail problem =
        ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, PoolCommand.refusal(exhausted));
    problem.setTitle("Exhausted");
    return Problems.answer(problem).header(HttpHeaders.RETRY_AFTER, Long.toString(seconds)).build();
  }

  private static ResponseEntity<?> held(HttpStatus status, Claim claim) {
    ResponseEntity.BodyBuilder response =
        ResponseEntity.status(status).eTag(Long.toString(claim.token()));
    if (status == HttpStatus.CREATED) {
      response.location(
          UriComponentsBuilder.fromPath("/v1/pools/{pool}/claims/{value}")
              .build(claim.pool(), claim.value()));
    }
    return response.body(PoolJson.Held.of(claim));
  }

  private static long token(String ifMatch) {
    Matcher tag = TOKEN_TAG.matcher(ifMatch.strip());
    if (!tag.matches()) {
      throw new IllegalArgumentException(
          "If-Match is "
              + Quoted.of(ifMatch)
              + ": expected the claim's token in quotes, as \"12\"");
    }
    return Long.parseLong(tag.group(1));
  }

  private static ResponseEntity<?> tokenMissing() {
    return problem(
        HttpStatus.PRECONDITION_REQUIRED, "If-Match must name the claim's token, as \"12\"");
  }

  private static ResponseEntity<?> notHeld(String pool, String value) {
    return problem(
        HttpStatus.NOT_FOUND, "pool \"%s\": nobody holds %s".formatted(pool, Quoted.of(value)));
  }

  private static ResponseEntity<?> superseded(String pool, String value) {
    return problem(
        HttpStatus.PRECONDITION_FAILED,
        "pool \"%s\": %s is held by a claim with another token".formatted(pool, Quoted.of(value)));
  }

  private static ResponseEntity<?> problem(HttpStatus status, String detail) {
    return Problems.answer(ProblemDetail.forStatusAndDetail(status, detail)).build();
  }
}
