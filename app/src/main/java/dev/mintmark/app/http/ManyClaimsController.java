package dev.mintmark.app.http;

import dev.mintmark.app.view.KeepAliveJson;
import dev.mintmark.app.view.KeepAliveRequestJson;
import dev.mintmark.app.view.ReleasesJson;
import dev.mintmark.app.view.ReleasesRequestJson;
import dev.mintmark.app.view.RenewalsJson;
import dev.mintmark.app.view.RenewalsRequestJson;
import dev.mintmark.postgres.pool.Pools;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code /v1/pools/{pool}/releases}, {@code /renewals} and {@code /keep-alive}: many claims in one
 * request.
 */
@RestController
@RequestMapping(
    path = "/v1/pools/{pool}",
    produces = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_PROBLEM_JSON_VALUE})
class ManyClaimsController {
  /** How the path of the operation for one holder ends, whose bodies may be large. */
  static final String KEEP_ALIVE_PATH_END = "/keep-alive";

  private final Pools pools;

  ManyClaimsController(Pools pools) {
    this.pools = pools;
  }

  @PostMapping("/releases")
  ReleasesJson releaseClaims(@PathVariable String pool, @RequestBody ReleasesRequestJson body) {
    return ReleasesJson.of(pools.open(pool).many().release(body.toFilter(), body.limitOrDefault()));
  }

  @PostMapping(KEEP_ALIVE_PATH_END)
  KeepAliveJson keepClaims(
      @PathVariable String pool, @RequestBody KeepAliveRequestJson body, Caller caller) {
    return KeepAliveJson.of(
        pools.open(pool).many().renew(body.toNamed(), body.newLease(), caller.owner()));
  }

  @PostMapping("/renewals")
  RenewalsJson renewClaims(@PathVariable String pool, @RequestBody RenewalsRequestJson body) {
    return RenewalsJson.of(
        pools.open(pool).many().renew(body.toFilter(), body.newLease(), body.limitOrDefault()));
  }
}
