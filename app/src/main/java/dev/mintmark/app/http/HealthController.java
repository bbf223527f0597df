package dev.mintmark.app.http;

import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code /livez} and {@code /readyz}: the probes of an orchestrator or a balancer. They say nothing
 * about what the server knows, and cost no query.
 */
@RestController
class HealthController {
  private static final String LIVENESS = "/livez";
  private static final String READINESS = "/readyz";
  private static final String OK = "ok\n";

  private final Readiness readiness;

  HealthController(Readiness readiness) {
    this.readiness = readiness;
  }

  /**
   * Whether a path is that of a probe. Probes need no key and come past a proxy: from the machine
   * that runs the container.
   */
  static boolean isProbe(String path) {
    return path.equals(LIVENESS) || path.equals(READINESS);
  }

  @GetMapping(path = LIVENESS, produces = MediaType.TEXT_PLAIN_VALUE)
  ResponseEntity<String> getLiveness() {
    return ok();
  }

  @GetMapping(path = READINESS, produces = MediaType.TEXT_PLAIN_VALUE)
  ResponseEntity<String> getReadiness() {
    if (!readiness.isReady()) {
      throw new ProblemException(ProblemCode.NOT_READY, readiness.reason());
    }
    return ok();
  }

  private static ResponseEntity<String> ok() {
    return ResponseEntity.ok().header(HttpHeaders.CACHE_CONTROL, "no-store").body(OK);
  }
}
