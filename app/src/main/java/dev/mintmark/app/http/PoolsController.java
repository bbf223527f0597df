package dev.mintmark.app.http;

import dev.mintmark.PoolSpec;
import dev.mintmark.Quoted;
import dev.mintmark.app.access.Scope;
import dev.mintmark.app.service.InstantText;
import dev.mintmark.app.service.LabelCriterion;
import dev.mintmark.app.service.NameCriterion;
import dev.mintmark.app.service.NamedBlock;
import dev.mintmark.app.service.QuarantineRequest;
import dev.mintmark.app.service.SettingsChange;
import dev.mintmark.app.view.BlockAdditionJson;
import dev.mintmark.app.view.BlockChangeJson;
import dev.mintmark.app.view.ExclusionRequestJson;
import dev.mintmark.app.view.ExclusionResultJson;
import dev.mintmark.app.view.HistoryPageJson;
import dev.mintmark.app.view.PoolChangeJson;
import dev.mintmark.app.view.PoolChangeRequestJson;
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
import dev.mintmark.postgres.pool.UnknownPoolException;
import java.net.URI;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
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

/** {@code /v1/pools}: pools, their blocks, their maps and their history. */
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
  PoolListJson listPools(Caller caller) {
    return PoolListJson.of(pools, name -> caller.may(Scope.Kind.POOLS_READ, name));
  }

  @PostMapping
  ResponseEntity<PoolJson> createPool(@RequestBody PoolDeclarationJson declaration, Caller caller) {
    PoolSpec spec = declaration.toSpec();
    caller.require(Scope.Kind.POOLS_ADMIN, spec.name());
    spec.source().ifPresent(source -> requireSource(source, caller));
    caller.changed(spec.name());
    try {
      if (!pools.create(spec)) {
        throw new ProblemException(
            ProblemCode.POOL_EXISTS, "a pool \"%s\" exists".formatted(spec.name()));
      }
      return ResponseEntity.created(URI.create("/v1/pools/" + spec.name()))
          .body(PoolJson.of(pools.open(spec.name())));
    } catch (UnknownPoolException e) {
      throw new ProblemException(
          ProblemCode.POOL_DELETED,
          "pool \"%s\" was created, and another request has deleted it since"
              .formatted(spec.name()));
    }
  }

  @GetMapping("/{pool}")
  PoolJson getPool(@PathVariable String pool) {
    return PoolJson.of(pools.open(pool));
  }

  @PatchMapping("/{pool}")
  PoolChangeJson changePool(
      @PathVariable String pool, @RequestBody PoolChangeRequestJson change, Caller caller) {
    Pool open = pools.open(pool);
    if (change.keepFree() != null) {
      open.spec().source().ifPresent(source -> requireSource(source, caller));
    }
    return PoolChangeJson.of(SettingsChange.apply(open, change.toSettings()));
  }

  /** A pool that gets its blocks from another one claims there. */
  private static void requireSource(PoolSpec.Source source, Caller caller) {
    if (!caller.may(Scope.Kind.POOLS_ADMIN, source.pool())) {
      caller.require(Scope.Kind.CLAIM, source.pool());
    }
  }

  @PostMapping("/{pool}/change-plan")
  PoolChangeJson planPoolChange(
      @PathVariable String pool, @RequestBody PoolChangeRequestJson change) {
    return PoolChangeJson.of(SettingsChange.plan(pools.open(pool), change.toSettings()));
  }

  @DeleteMapping("/{pool}")
  ResponseEntity<Void> deletePool(
      @PathVariable String pool, @RequestParam(defaultValue = "false") boolean force) {
    long held = force ? 0 : pools.deleteUnlessHeld(pool);
    if (held > 0) {
      throw new ProblemException(
          ProblemCode.POOL_IN_USE,
          "pool \"%s\" is in use (held=%s): force=true deletes it nevertheless"
              .formatted(pool, held));
    }
    if (force && !pools.delete(pool)) {
      // Fails: the database has no such pool.
      Pool unused = pools.open(pool);
    }
    return ResponseEntity.noContent().build();
  }

  @GetMapping("/{pool}/map")
  ResponseEntity<PoolMapJson> getPoolMap(
      @PathVariable String pool,
      @RequestParam(defaultValue = "0") long from,
      @RequestParam(defaultValue = "" + Pool.MAP_MAX) int limit,
      @RequestParam(required = false) @Nullable String value) {
    Pool open = pools.open(pool);
    long start = from;
    if (value != null) {
      OptionalLong position = open.positionOf(value);
      if (position.isEmpty()) {
        throw new IllegalArgumentException(
            "pool \"%s\" has no value %s that a map shows".formatted(pool, Quoted.of(value)));
      }
      start = position.getAsLong() - position.getAsLong() % Math.max(1, limit);
    }
    PoolMap map = open.map(start, limit);
    String tag = Integer.toHexString(map.hashCode());
    return ResponseEntity.ok().eTag(tag).body(PoolMapJson.of(open, map));
  }

  @PostMapping("/{pool}/blocks")
  ResponseEntity<PoolJson> addBlock(
      @PathVariable String pool, @RequestBody BlockAdditionJson addition) {
    Pool open = pools.open(pool);
    open.addBlock(addition.toBlock(), addition.toExclude());
    return ResponseEntity.status(HttpStatus.CREATED).body(PoolJson.of(open));
  }

  @PatchMapping("/{pool}/blocks")
  PoolJson changeBlock(
      @PathVariable String pool, @RequestParam String block, @RequestBody BlockChangeJson change) {
    if (change.drains() == null) {
      throw new IllegalArgumentException("drains is missing: expected true or false");
    }
    NamedBlock named = new NamedBlock(pools.open(pool), block);
    named.pool().drain(declared(named), change.drains());
    return PoolJson.of(named.pool());
  }

  @DeleteMapping("/{pool}/blocks")
  ResponseEntity<Void> removeBlock(@PathVariable String pool, @RequestParam String block) {
    NamedBlock named = new NamedBlock(pools.open(pool), block);
    if (!named.pool().removeBlock(declared(named))) {
      throw new ProblemException(ProblemCode.BLOCK_IN_USE, named.whyStillThere());
    }
    return ResponseEntity.noContent().build();
  }

  @PostMapping("/{pool}/quarantine")
  ResponseEntity<QuarantineResultJson> quarantineValues(
      @PathVariable String pool, @RequestBody QuarantineRequestJson body) {
    QuarantineRequest request = body.toRequest();
    QuarantineRequest.Outcome outcome = request.of(pools.open(pool));
    return request.isOfAll()
        ? ResponseEntity.noContent().build()
        : ResponseEntity.ok(QuarantineResultJson.of(outcome));
  }

  @PostMapping("/{pool}/resume")
  PoolJson resumePool(@PathVariable String pool) {
    Pool open = pools.open(pool);
    var unused = open.resume();
    return PoolJson.of(open);
  }

  @PostMapping("/{pool}/exclude")
  ExclusionResultJson excludeValues(
      @PathVariable String pool, @RequestBody ExclusionRequestJson body) {
    return ExclusionResultJson.of(body.toRequest().exclude(pools.open(pool)));
  }

  @PostMapping("/{pool}/include")
  ExclusionResultJson includeValues(
      @PathVariable String pool, @RequestBody ExclusionRequestJson body) {
    return ExclusionResultJson.of(body.toRequest().include(pools.open(pool)));
  }

  @GetMapping("/{pool}/history")
  HistoryPageJson listHistory(
      @PathVariable String pool,
      @RequestParam(required = false) @Nullable String value,
      @RequestParam(required = false) @Nullable String client,
      @RequestParam(name = "client_prefix", required = false) @Nullable String clientPrefix,
      @RequestParam(required = false) @Nullable String owner,
      @RequestParam(name = "owner_prefix", required = false) @Nullable String ownerPrefix,
      @RequestParam(required = false) @Nullable String label,
      @RequestParam(name = "label_prefix", required = false) @Nullable String labelPrefix,
      @RequestParam(required = false) @Nullable String at,
      @RequestParam(required = false) @Nullable Long before,
      @RequestParam(defaultValue = "100") int limit,
      Caller caller) {
    PastClaim.Filter filter =
        new PastClaim.Filter(
            Optional.ofNullable(value),
            NameCriterion.of("client", client, clientPrefix),
            caller.ownerMatch(owner, ownerPrefix),
            LabelCriterion.of("label", label, labelPrefix),
            Optional.ofNullable(at).map(text -> InstantText.parse("at", text)));
    OptionalLong token = before == null ? OptionalLong.empty() : OptionalLong.of(before);
    return HistoryPageJson.of(pools.open(pool), filter, token, limit);
  }

  @DeleteMapping("/{pool}/history")
  PruneResultJson pruneHistory(
      @PathVariable String pool, @RequestParam(name = "ended_before") String endedBefore) {
    return new PruneResultJson(pools.prune(pool, InstantText.parse("ended_before", endedBefore)));
  }

  private static String declared(NamedBlock block) {
    return block
        .declared()
        .orElseThrow(() -> new ProblemException(ProblemCode.BLOCK_NOT_FOUND, block.unknown()));
  }
}
