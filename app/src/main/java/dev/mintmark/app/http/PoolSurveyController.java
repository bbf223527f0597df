package dev.mintmark.app.http;

import dev.mintmark.app.service.InstantText;
import dev.mintmark.app.view.NearestClaimJson;
import dev.mintmark.app.view.PoolDensityJson;
import dev.mintmark.app.view.PoolUsageJson;
import dev.mintmark.app.view.QuarantinePageJson;
import dev.mintmark.postgres.pool.Claim;
import dev.mintmark.postgres.pool.ClaimFilter;
import dev.mintmark.postgres.pool.NameMatch;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.PoolSurvey;
import dev.mintmark.postgres.pool.Pools;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Where in a pool values are used, and when: {@code /density}, {@code /held}, {@code /quarantine}
 * and {@code /usage}.
 */
@RestController
@RequestMapping(
    path = "/v1/pools/{pool}",
    produces = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_PROBLEM_JSON_VALUE})
class PoolSurveyController {
  private static final Duration USAGE_DEFAULT = Duration.ofDays(1);

  private final Pools pools;

  PoolSurveyController(Pools pools) {
    this.pools = pools;
  }

  @GetMapping("/density")
  PoolDensityJson getPoolDensity(
      @PathVariable String pool,
      @RequestParam(required = false) @Nullable String from,
      @RequestParam(required = false) @Nullable String to,
      @RequestParam(defaultValue = "" + PoolSurvey.PARTS_MAX) int parts) {
    Pool open = pools.open(pool);
    return PoolDensityJson.of(
        open, open.survey().density(Optional.ofNullable(from), Optional.ofNullable(to), parts));
  }

  @GetMapping("/held")
  NearestClaimJson findHeld(
      @PathVariable String pool,
      @RequestParam(required = false) @Nullable String after,
      @RequestParam(required = false) @Nullable String before,
      Caller caller) {
    if (after != null && before != null) {
      throw new IllegalArgumentException("expected after or before, not both");
    }
    if (caller.owner().isPresent()) {
      return NearestClaimJson.of(
          heldForOwner(pools.open(pool), Optional.ofNullable(after), before, caller));
    }
    PoolSurvey survey = pools.open(pool).survey();
    return NearestClaimJson.of(
        before == null ? survey.heldAfter(Optional.ofNullable(after)) : survey.heldBefore(before));
  }

  /** Claims of one owner are found by an index, but only upwards. */
  private static Optional<Claim> heldForOwner(
      Pool pool, Optional<String> after, @Nullable String before, Caller caller) {
    if (before != null) {
      throw new ProblemException(
          ProblemCode.INSUFFICIENT_SCOPE,
          "a key with an owner finds held values after a value, not before it");
    }
    ClaimFilter own = ClaimFilter.ALL.withOwner(caller.owner().map(NameMatch::exactly));
    return pool.claims(own.withAfter(after), 1).stream().findFirst();
  }

  @GetMapping("/quarantine")
  QuarantinePageJson listQuarantined(
      @PathVariable String pool,
      @RequestParam(required = false) @Nullable String after,
      @RequestParam(defaultValue = "100") int limit) {
    return QuarantinePageJson.of(
        pools.open(pool).survey().quarantined(Optional.ofNullable(after), limit), limit);
  }

  @GetMapping("/usage")
  PoolUsageJson getPoolUsage(
      @PathVariable String pool,
      @RequestParam(required = false) @Nullable String from,
      @RequestParam(required = false) @Nullable String until,
      @RequestParam(defaultValue = "300") int samples) {
    Pool open = pools.open(pool);
    Instant end = until == null ? Instant.now() : InstantText.parse("until", until);
    Instant start = from == null ? end.minus(USAGE_DEFAULT) : InstantText.parse("from", from);
    return PoolUsageJson.of(open, start, end, open.survey().usage(start, end, samples));
  }
}
