package dev.mintmark.app.http;

import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code /metrics}: the meters of the server in the text format of Prometheus, version 0.0.4. */
@RestController
class MetricsController {
  private static final String TEXT_FORMAT = "text/plain;version=0.0.4;charset=utf-8";

  private final ServerMeters meters;

  MetricsController(ServerMeters meters) {
    this.meters = meters;
  }

  @GetMapping(path = "/metrics", produces = TEXT_FORMAT)
  ResponseEntity<String> getMetrics() {
    return ResponseEntity.ok().header(HttpHeaders.CACHE_CONTROL, "no-store").body(meters.text());
  }
}
