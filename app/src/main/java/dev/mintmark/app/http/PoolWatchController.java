package dev.mintmark.app.http;

import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.Pools;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/pools/{pool}/watch}: a pool and its changes as server-sent events. */
@RestController
class PoolWatchController {
  static final String PATH_END = "/watch";

  private final Pools pools;
  private final PoolWatches watches;

  PoolWatchController(Pools pools, PoolWatches watches) {
    this.pools = pools;
    this.watches = watches;
  }

  /** Whether a request is for a watch, which lasts for hours. */
  static boolean isWatch(HttpServletRequest request) {
    return RequestPath.of(request).endsWith(PATH_END);
  }

  /** Returns nothing if the events are the response, which ends later. */
  @GetMapping(
      path = "/v1/pools/{pool}" + PATH_END,
      produces = {MediaType.TEXT_EVENT_STREAM_VALUE, MediaType.APPLICATION_PROBLEM_JSON_VALUE})
  @Nullable ResponseEntity<Void> watchPool(
      @PathVariable String pool,
      Caller caller,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    Pool open = pools.open(pool);
    if (HttpMethod.HEAD.matches(request.getMethod())) {
      return ResponseEntity.ok().contentType(MediaType.TEXT_EVENT_STREAM).build();
    }
    watches.watch(open, caller, request, response);
    return null;
  }
}
