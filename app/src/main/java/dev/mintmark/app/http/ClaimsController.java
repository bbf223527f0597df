package dev.mintmark.app.http;

import dev.mintmark.Quoted;
import dev.mintmark.app.service.ClaimSearch;
import dev.mintmark.app.service.DurationKey;
import dev.mintmark.app.service.LabelCriterion;
import dev.mintmark.app.service.NameCriterion;
import dev.mintmark.app.view.ClaimJson;
import dev.mintmark.app.view.ClaimListJson;
import dev.mintmark.app.view.ClaimNoteJson;
import dev.mintmark.app.view.ClaimNoteRequestJson;
import dev.mintmark.app.view.ClaimPageJson;
import dev.mintmark.app.view.ClaimRequestJson;
import dev.mintmark.app.view.RenewalRequestJson;
import dev.mintmark.postgres.pool.Claim;
import dev.mintmark.postgres.pool.ClaimFilter;
import dev.mintmark.postgres.pool.ClaimNote;
import dev.mintmark.postgres.pool.ClaimRequest;
import dev.mintmark.postgres.pool.NameMatch;
import dev.mintmark.postgres.pool.NoteResult;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.postgres.pool.ReleaseResult;
import dev.mintmark.postgres.pool.RenewResult;
import dev.mintmark.postgres.pool.Superseded;
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
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.UriComponentsBuilder;

/** {@code /v1/pools/{pool}/claims}: claims, renews and releases values of a pool. */
@RestController
@RequestMapping(
    path = ClaimsController.PATH,
    produces = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_PROBLEM_JSON_VALUE})
class ClaimsController {
  static final String PATH = "/v1/pools/{pool}/claims";

  /** A strong entity tag (RFC 9110 section 8.8.3) that holds a token. */
  private static final Pattern TOKEN_TAG = Pattern.compile("\"([0-9]{1,18})\"");

  private final Pools pools;

  ClaimsController(Pools pools) {
    this.pools = pools;
  }

  @PostMapping
  CompletableFuture<ResponseEntity<?>> createClaim(
      @PathVariable String pool, @RequestBody ClaimRequestJson body, Caller caller) {
    if (body.isForMany()) {
      List<ClaimRequest> requests = body.toRequests();
      return ManyClients.claim(pools.open(pool), requests, caller).thenApply(ResponseEntity::ok);
    }
    boolean several = body.count() != null;
    ClaimRequest asked = body.toRequest();
    ClaimRequest request = asked.withOwner(caller.ownerOf(asked.owner()));
    Pool open = pools.open(pool);
    caller.checkOtherSlots(request.client(), open);
    return open.claimAsync(request)
        .thenApply(
            result -> {
              ClaimAnswer answer = ClaimAnswer.of(result, pool, caller);
              caller.changed(answer.granted());
              if (answer.refusal().isPresent()) {
                caller.refused();
                return refused(answer.refusal().get());
              }
              return held(answer, several, request);
            });
  }

  @GetMapping
  ClaimPageJson listClaims(
      @PathVariable String pool,
      @RequestParam(required = false) @Nullable String client,
      @RequestParam(name = "client_prefix", required = false) @Nullable String clientPrefix,
      @RequestParam(required = false) @Nullable String owner,
      @RequestParam(name = "owner_prefix", required = false) @Nullable String ownerPrefix,
      @RequestParam(required = false) @Nullable String label,
      @RequestParam(name = "label_prefix", required = false) @Nullable String labelPrefix,
      @RequestParam(required = false) @Nullable String after,
      @RequestParam(defaultValue = "false") boolean excluded,
      @RequestParam(required = false) @Nullable String ipv6,
      @RequestParam(defaultValue = "100") int limit,
      Caller caller) {
    Optional<NameMatch> named = caller.ownerMatch(owner, ownerPrefix);
    ClaimSearch search =
        new ClaimSearch(
            ClaimFilter.ALL
                .withClient(NameCriterion.of("client", client, clientPrefix))
                .withOwner(ipv6 == null ? named : NameCriterion.of("owner", owner, ownerPrefix))
                .withLabel(LabelCriterion.of("label", label, labelPrefix))
                .withAfter(Optional.ofNullable(after))
                .withExcluded(excluded),
            Optional.ofNullable(ipv6),
            limit);
    ClaimSearch.Found found = search.in(pools.open(pool));
    return ClaimPageJson.of(
        new ClaimSearch.Found(
            found.claims().stream().filter(claim -> caller.sees(claim.owner())).toList(),
            found.notes(),
            found.next()));
  }

  @GetMapping("/{value}")
  ClaimJson getClaim(@PathVariable String pool, @PathVariable String value, Caller caller) {
    // Without an entity tag: the token identifies the claim, not a version of its JSON.
    Pool open = pools.open(pool);
    return open.find(value)
        .filter(claim -> caller.sees(claim.owner()))
        .map(claim -> ClaimJson.of(claim, open.notes().of(claim.token())))
        .orElseThrow(() -> notHeld(pool, value));
  }

  @PutMapping("/{value}/note")
  ClaimNoteJson setNote(
      @PathVariable String pool,
      @PathVariable String value,
      @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
      @RequestBody ClaimNoteRequestJson body,
      Caller caller) {
    long token = token(ifMatch);
    checkHeld(pool, value, caller);
    NoteResult result = pools.open(pool).notes().set(value, token, body.toNote());
    if (result instanceof NoteResult.Noted noted) {
      return ClaimNoteJson.of(noted.note());
    }
    throw result instanceof Superseded ? superseded(pool, value) : notHeld(pool, value);
  }

  @PostMapping("/{value}/renewal")
  ResponseEntity<ClaimJson> renewClaim(
      @PathVariable String pool,
      @PathVariable String value,
      @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
      @RequestBody(required = false) @Nullable RenewalRequestJson body,
      Caller caller) {
    long token = token(ifMatch);
    checkHeld(pool, value, caller);
    Optional<String> lease = Optional.ofNullable(body).map(RenewalRequestJson::lease);
    RenewResult result =
        pools.open(pool).renew(value, token, lease.map(text -> DurationKey.parse("lease", text)));
    if (result instanceof RenewResult.Renewed renewed) {
      return held(HttpStatus.OK, renewed.claim(), ClaimNote.NONE);
    }
    throw result instanceof Superseded ? superseded(pool, value) : notHeld(pool, value);
  }

  @DeleteMapping("/{value}")
  ResponseEntity<Void> releaseClaim(
      @PathVariable String pool,
      @PathVariable String value,
      @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
      Caller caller) {
    long token = token(ifMatch);
    checkHeld(pool, value, caller);
    ReleaseResult result = pools.open(pool).release(value, token);
    if (result instanceof ReleaseResult.Released) {
      return ResponseEntity.noContent().build();
    }
    throw result instanceof Superseded ? superseded(pool, value) : notHeld(pool, value);
  }

  /**
   * Checks that a value is held for the owner of the caller. A claim's token is its own, and its
   * owner never changes: whoever claims the value in the meantime has another token.
   */
  private void checkHeld(String pool, String value, Caller caller) {
    if (caller.owner().isPresent()
        && pools.open(pool).find(value).filter(claim -> caller.sees(claim.owner())).isEmpty()) {
      throw notHeld(pool, value);
    }
  }

  private static ResponseEntity<?> refused(ClaimAnswer.Refusal refusal) {
    ResponseEntity.HeadersBuilder<?> answer =
        Problems.answer(refusal.code().problem(refusal.detail()));
    refusal
        .retrySeconds()
        .ifPresent(seconds -> answer.header(HttpHeaders.RETRY_AFTER, Long.toString(seconds)));
    return answer.build();
  }

  private static ResponseEntity<?> held(ClaimAnswer answer, boolean several, ClaimRequest request) {
    List<Claim> claims = answer.claims();
    return several
        ? ResponseEntity.status(answer.status()).body(ClaimListJson.of(claims, request))
        : held(answer.status(), claims.get(0), request.noteFor(claims.get(0)));
  }

  private static ResponseEntity<ClaimJson> held(HttpStatus status, Claim claim, ClaimNote note) {
    ResponseEntity.BodyBuilder response =
        ResponseEntity.status(status).eTag(Long.toString(claim.token()));
    if (status == HttpStatus.CREATED) {
      response.location(
          UriComponentsBuilder.fromPath("/v1/pools/{pool}/claims/{value}")
              .build(claim.pool(), claim.value()));
    }
    return response.body(ClaimJson.of(claim, note));
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
