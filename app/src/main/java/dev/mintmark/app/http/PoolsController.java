package dev.mintmark.app.http;

import dev.mintmark.PoolSpec;
import dev.mintmark.Quoted;
import dev.mintmark.app.service.NamedBlock;
import dev.mintmark.app.service.QuarantineRequest;
import dev.mintmark.app.view.BlockAdditionJson;
import dev.mintmark.app.view.BlockChangeJson;
import dev.mintmark.app.view.HistoryPageJson;
import dev.mintmark.app.view.PoolDeclarationJson;
import dev.mintmark.app.view.PoolJson;
import dev.mintmark.app.view.PoolListJson;
import dev.mintmark.app.view.PoolMapJson;
import dev.mintmark.app.view.PruneResultJson;
import dev.mintmark.app.view.QuarantineRequestJson;
import dev.mintmark.app.view.QuarantineResultJson;
import dev.mintmark.postgres.pool.PastClaim;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.PoolMap;
import dev.mintmark.postgres.pool.Pools;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.math.BigInteger;
import java.net.URI;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/pools}: pools, their blocks, and what is known of them. */
@RestController
@RequestMapping(
    path = "/v1/pools",
    produces = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_PROBLEM_JSON_VALUE})
class PoolsController {
  private final Pools pools;

  PoolsController(Pools pools) {
    this.pools = pools;
  }

  @GetMapping
  @Operation(summary = "All pools and how they stand")
  PoolListJson list() {
    return PoolListJson.of(pools);
  }

  @PostMapping
  @Operation(
      summary = "Create a pool",
      description = "Its values are one of blocks, range and lists; all else may be left out.")
  @ApiResponse(
      responseCode = "201",
      description = "created",
      content = @Content(schema = @Schema(implementation = PoolJson.class)))
  @ApiResponse(
      responseCode = "409",
      description = "there is a pool of that name",
      content = @Content(schema = @Schema(implementation = ProblemDetail.class)))
  ResponseEntity<?> create(@RequestBody PoolDeclarationJson declaration) {
    PoolSpec spec = declaration.toSpec();
    if (!pools.create(spec)) {
      return problem(HttpStatus.CONFLICT, "there is a pool \"" + spec.name() + "\" already");
    }
    return ResponseEntity.created(URI.create("/v1/pools/" + spec.name()))
        .body(PoolJson.of(pools.open(spec.name())));
  }

  @GetMapping("/{pool}")
  @Operation(summary = "One pool and how it stands, by block too")
  PoolJson get(@PathVariable String pool) {
    return PoolJson.of(pools.open(pool));
  }

  @DeleteMapping("/{pool}")
  @Operation(
      summary = "Delete a pool with its claims and its history",
      description = "Refused while values of it are held, unless force is true.")
  @ApiResponse(responseCode = "204", description = "deleted")
  @ApiResponse(
      responseCode = "409",
      description = "values of it are held",
      content = @Content(schema = @Schema(implementation = ProblemDetail.class)))
  ResponseEntity<?> delete(
      @PathVariable String pool, @RequestParam(defaultValue = "false") boolean force) {
    BigInteger held = pools.open(pool).stats().total().held();
    if (held.signum() > 0 && !force) {
      return problem(
          HttpStatus.CONFLICT,
          "pool \"%s\" is in use (held=%d): force=true deletes it nevertheless"
              .formatted(pool, held));
    }
    pools.delete(pool);
    return ResponseEntity.noContent().build();
  }

  @GetMapping("/{pool}/map")
  @Operation(
      summary = "The state of every value in a stretch",
      description =
          "One letter each: f free, h held, q quarantined, d draining, x excluded. With value the"
              + " stretch that has it: of those of the length of limit, one behind another.")
  @ApiResponse(
      responseCode = "200",
      description = "the stretch",
      content = @Content(schema = @Schema(implementation = PoolMapJson.class)))
  ResponseEntity<?> map(
      @PathVariable String pool,
      @RequestParam(defaultValue = "0") long from,
      @RequestParam(defaultValue = "" + Pool.MAP_MAX) int limit,
      @RequestParam(required = false) @Nullable String value) {
    Pool open = pools.open(pool);
    long start = from;
    if (value != null) {
      OptionalLong position = open.positionOf(value);
      if (position.isEmpty()) {
        return problem(
            HttpStatus.BAD_REQUEST,
            "pool \"%s\" has no value %s that a map shows".formatted(pool, Quoted.of(value)));
      }
      start = position.getAsLong() - position.getAsLong() % Math.max(1, limit);
    }
    PoolMap map = open.map(start, limit);
    String tag = Integer.toHexString(map.hashCode());
    return ResponseEntity.ok().eTag(tag).body(PoolMapJson.of(open, map));
  }

  @PostMapping("/{pool}/blocks")
  @Operation(
      summary = "Add a block: its values can be had at once",
      description = "Either block, or list with a name and values.")
  @ApiResponse(
      responseCode = "201",
      description = "added",
      content = @Content(schema = @Schema(implementation = PoolJson.class)))
  ResponseEntity<PoolJson> addBlock(
      @PathVariable String pool, @RequestBody BlockAdditionJson addition) {
    Pool open = pools.open(pool);
    open.addBlock(addition.toBlock(), addition.toExclude());
    return ResponseEntity.status(HttpStatus.CREATED).body(PoolJson.of(open));
  }

  @PatchMapping("/{pool}/blocks")
  @Operation(
      summary = "Drain a block, or hand its values out again",
      description = "The block stands in the query, as the pool shows it: it may have a slash.")
  @ApiResponse(
      responseCode = "200",
      description = "it is so now",
      content = @Content(schema = @Schema(implementation = PoolJson.class)))
  @ApiResponse(
      responseCode = "404",
      description = "the pool has no such block",
      content = @Content(schema = @Schema(implementation = ProblemDetail.class)))
  ResponseEntity<?> changeBlock(
      @PathVariable String pool, @RequestParam String block, @RequestBody BlockChangeJson change) {
    if (change.drains() == null) {
      throw new IllegalArgumentException("drains is missing: expected true or false");
    }
    NamedBlock named = new NamedBlock(pools.open(pool), block);
    Optional<String> declared = named.declared();
    if (declared.isEmpty()) {
      return problem(HttpStatus.NOT_FOUND, named.unknown());
    }
    named.pool().drain(declared.get(), change.drains());
    return ResponseEntity.ok(PoolJson.of(named.pool()));
  }

  @DeleteMapping("/{pool}/blocks")
  @Operation(summary = "Remove a block that is drained and of which nothing is held or rests")
  @ApiResponse(responseCode = "204", description = "removed")
  @ApiResponse(
      responseCode = "404",
      description = "the pool has no such block",
      content = @Content(schema = @Schema(implementation = ProblemDetail.class)))
  @ApiResponse(
      responseCode = "409",
      description = "it is not drained, or in use",
      content = @Content(schema = @Schema(implementation = ProblemDetail.class)))
  ResponseEntity<?> removeBlock(@PathVariable String pool, @RequestParam String block) {
    NamedBlock named = new NamedBlock(pools.open(pool), block);
    Optional<String> declared = named.declared();
    if (declared.isEmpty()) {
      return problem(HttpStatus.NOT_FOUND, named.unknown());
    }
    return named.pool().removeBlock(declared.get())
        ? ResponseEntity.noContent().build()
        : problem(HttpStatus.CONFLICT, named.whyStillThere());
  }

  @PostMapping("/{pool}/quarantine")
  @Operation(
      summary = "Let values rest that nobody holds",
      description =
          "Either values, at most 1,000, or all: true, for the day the database was restored from"
              + " a backup; and for how long.")
  @ApiResponse(
      responseCode = "200",
      description = "those of the values rest that nobody holds",
      content = @Content(schema = @Schema(implementation = QuarantineResultJson.class)))
  @ApiResponse(responseCode = "204", description = "all rest that nobody holds")
  ResponseEntity<?> quarantine(@PathVariable String pool, @RequestBody QuarantineRequestJson rest) {
    QuarantineRequest request = rest.toRequest();
    QuarantineRequest.Outcome outcome = request.of(pools.open(pool));
    return request.isOfAll()
        ? ResponseEntity.noContent().build()
        : ResponseEntity.ok(QuarantineResultJson.of(outcome));
  }

  @GetMapping("/{pool}/history")
  @Operation(
      summary = "Who held what, the latest claim first",
      description = "Those that have ended for as long as the pool keeps them, and those held.")
  HistoryPageJson history(
      @PathVariable String pool,
      @RequestParam(required = false) @Nullable String value,
      @RequestParam(required = false) @Nullable String client,
      @RequestParam(required = false) @Nullable String owner,
      @RequestParam(required = false) @Nullable String at,
      @RequestParam(required = false) @Nullable Long before,
      @RequestParam(defaultValue = "100") int limit) {
    PastClaim.Filter filter =
        new PastClaim.Filter(
            Optional.ofNullable(value),
            Optional.ofNullable(client),
            Optional.ofNullable(owner),
            Optional.ofNullable(at).map(text -> instant("at", text)));
    OptionalLong token = before == null ? OptionalLong.empty() : OptionalLong.of(before);
    return HistoryPageJson.of(pools.open(pool).history(filter, token, limit), limit);
  }

  @DeleteMapping("/{pool}/history")
  @Operation(summary = "Forget the claims that ended before a time")
  PruneResultJson prune(
      @PathVariable String pool, @RequestParam(name = "ended_before") String endedBefore) {
    return new PruneResultJson(pools.prune(pool, instant("ended_before", endedBefore)));
  }

  private static Instant instant(String name, String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "%s is %s: expected a time as in 2026-11-21T12:00:00Z".formatted(name, Quoted.of(text)),
          e);
    }
  }

  private static ResponseEntity<?> problem(HttpStatus status, String detail) {
    return Problems.answer(ProblemDetail.forStatusAndDetail(status, detail)).build();
  }
}
