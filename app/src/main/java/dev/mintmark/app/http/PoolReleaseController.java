package dev.mintmark.app.http;

import dev.mintmark.app.view.FreeValuesJson;
import dev.mintmark.app.view.PoolGateJson;
import dev.mintmark.app.view.PoolGateRequestJson;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.Pools;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/pools/{pool}/free} and {@code /gate}: what is free to pick, and who may claim. */
@RestController
@RequestMapping(
    path = "/v1/pools/{pool}",
    produces = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_PROBLEM_JSON_VALUE})
class PoolReleaseController {
  private final Pools pools;

  PoolReleaseController(Pools pools) {
    this.pools = pools;
  }

  @GetMapping("/free")
  FreeValuesJson listFreeValues(
      @PathVariable String pool,
      @RequestParam(required = false) @Nullable String after,
      @RequestParam(defaultValue = "100") int limit) {
    return FreeValuesJson.of(pools.open(pool).freeValues(Optional.ofNullable(after), limit));
  }

  @GetMapping("/gate")
  PoolGateJson getGate(@PathVariable String pool, Caller caller) {
    PoolGateJson gate = PoolGateJson.of(pools.open(pool).gate());
    return new PoolGateJson(
        gate.owners().stream().filter(owner -> caller.sees(Optional.of(owner))).toList(),
        gate.share(),
        gate.rate());
  }

  @PutMapping("/gate")
  PoolGateJson setGate(@PathVariable String pool, @RequestBody PoolGateRequestJson body) {
    Pool open = pools.open(pool);
    open.setGate(body.toGate());
    return PoolGateJson.of(open.gate());
  }
}
