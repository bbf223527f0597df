package dev.mintmark.app.http;

import dev.mintmark.DurationText;
import dev.mintmark.Quoted;
import dev.mintmark.app.service.ClaimRefusal;
import dev.mintmark.app.service.ClaimSearch;
import dev.mintmark.app.view.ClaimJson;
import dev.mintmark.app.view.ClaimListJson;
import dev.mintmark.app.view.ClaimPageJson;
import dev.mintmark.app.view.ClaimRequestJson;
import dev.mintmark.app.view.RenewalRequestJson;
import dev.mintmark.postgres.pool.Claim;
import dev.mintmark.postgres.pool.ClaimResult;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Exhausted;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.ClaimResult.QuotaReached;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.postgres.pool.ReleaseResult;
import dev.mintmark.postgres.pool.RenewResult;
import dev.mintmark.postgres.pool.Superseded;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
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

/** {@code /v1/pools/{pool}/claims}: what is claimed from a pool. */
@RestController
@RequestMapping(
    path = "/v1/pools/{pool}/claims",
    produces = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_PROBLEM_JSON_VALUE})
class ClaimsController {
  /** A strong entity tag (RFC 9110 section 8.8.3) that holds a token. */
  private static final Pattern TOKEN_TAG = Pattern.compile("\"([0-9]{1,18})\"");

  private final Pools pools;

  ClaimsController(Pools pools) {
    this.pools = pools;
  }

  @PostMapping
  @Operation(
      summary = "Claim a value for a client, or several at once",
      description =
          "With count the answer is {\"claims\": [...]}, one for each slot; without, one claim.")
  @ApiResponse(
      responseCode = "201",
      description = "granted",
      content = @Content(schema = @Schema(oneOf = {ClaimJson.class, ClaimListJson.class})))
  @ApiResponse(
      responseCode = "200",
      description = "the client held all of it already",
      content = @Content(schema = @Schema(oneOf = {ClaimJson.class, ClaimListJson.class})))
  @ApiResponse(
      responseCode = "409",
      description =
          "by its title: Exhausted, Retry-After says when to ask again; Quota reached; Value taken",
      content = @Content(schema = @Schema(implementation = ProblemDetail.class)))
  CompletableFuture<ResponseEntity<?>> claim(
      @PathVariable String pool, @RequestBody ClaimRequestJson body) {
    boolean several = body.count() != null;
    return pools
        .open(pool)
        .claimAsync(body.toRequest())
        .thenApply(result -> answer(result, several));
  }

  @GetMapping
  @Operation(
      summary = "Claims in the order of their values",
      description = "With ipv6 the one that has this address, and no other parameter but limit.")
  ClaimPageJson claims(
      @PathVariable String pool,
      @RequestParam(required = false) @Nullable String client,
      @RequestParam(required = false) @Nullable String owner,
      @RequestParam(required = false) @Nullable String after,
      @RequestParam(required = false) @Nullable String ipv6,
      @RequestParam(defaultValue = "100") int limit) {
    ClaimSearch search =
        new ClaimSearch(
            Optional.ofNullable(client),
            Optional.ofNullable(owner),
            Optional.ofNullable(after),
            Optional.ofNullable(ipv6),
            limit);
    return ClaimPageJson.of(search.in(pools.open(pool)));
  }

  @GetMapping("/{value}")
  @Operation(summary = "The claim of one value")
  @ApiResponse(
      responseCode = "200",
      description = "it is held",
      content = @Content(schema = @Schema(implementation = ClaimJson.class)))
  @ApiResponse(responseCode = "404", description = "nobody holds it")
  ResponseEntity<?> claim(@PathVariable String pool, @PathVariable String value) {
    Optional<Claim> claim = pools.open(pool).find(value);
    // Without an entity tag: the token is one for changing the claim, and does not tell its
    // versions.
    return claim.isPresent() ? ResponseEntity.ok(ClaimJson.of(claim.get())) : notHeld(pool, value);
  }

  @PostMapping("/{value}/renewal")
  @Operation(summary = "Extend a claim from now")
  @ApiResponse(
      responseCode = "200",
      description = "renewed",
      content = @Content(schema = @Schema(implementation = ClaimJson.class)))
  @ApiResponse(responseCode = "404", description = "nobody holds the value")
  @ApiResponse(responseCode = "412", description = "another claim holds the value")
  @ApiResponse(responseCode = "428", description = "If-Match is missing")
  ResponseEntity<?> renew(
      @PathVariable String pool,
      @PathVariable String value,
      @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
      @RequestBody(required = false) @Nullable RenewalRequestJson body) {
    if (ifMatch == null) {
      return tokenMissing();
    }
    Optional<String> lease = Optional.ofNullable(body).map(RenewalRequestJson::lease);
    RenewResult result =
        pools.open(pool).renew(value, token(ifMatch), lease.map(DurationText::parse));
    if (result instanceof RenewResult.Renewed renewed) {
      return held(HttpStatus.OK, renewed.claim());
    }
    return result instanceof Superseded ? superseded(pool, value) : notHeld(pool, value);
  }

  @DeleteMapping("/{value}")
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

  private static ResponseEntity<?> answer(ClaimResult result, boolean several) {
    if (result instanceof Granted granted) {
      return several
          ? held(HttpStatus.CREATED, granted.claims())
          : held(HttpStatus.CREATED, granted.claim());
    }
    if (result instanceof AlreadyHeld already) {
      return several ? held(HttpStatus.OK, already.claims()) : held(HttpStatus.OK, already.claim());
    }
    ProblemDetail problem =
        ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, ClaimRefusal.message(result));
    if (!(result instanceof Exhausted exhausted)) {
      problem.setTitle(result instanceof QuotaReached ? "Quota reached" : "Value taken");
      return Problems.answer(problem).build();
    }
    problem.setTitle("Exhausted");
    long seconds = Math.max(1, (exhausted.retryAfter().toMillis() + 999) / 1_000);
    return Problems.answer(problem).header(HttpHeaders.RETRY_AFTER, Long.toString(seconds)).build();
  }

  private static ResponseEntity<?> held(HttpStatus status, List<Claim> claims) {
    return ResponseEntity.status(status).body(ClaimListJson.of(claims));
  }

  private static ResponseEntity<?> held(HttpStatus status, Claim claim) {
    ResponseEntity.BodyBuilder response =
        ResponseEntity.status(status).eTag(Long.toString(claim.token()));
    if (status == HttpStatus.CREATED) {
      response.location(
          UriComponentsBuilder.fromPath("/v1/pools/{pool}/claims/{value}")
              .build(claim.pool(), claim.value()));
    }
    return response.body(ClaimJson.of(claim));
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
