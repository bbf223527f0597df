package dev.mintmark.app.cli;

import dev.mintmark.Quoted;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where {@code serve} sends spans of requests. */
final class TraceOptions {
  @Option(
      names = "--otlp-endpoint",
      paramLabel = "URL",
      description =
          "Send a span of each request to this OpenTelemetry collector, by OTLP over HTTP, as in"
              + " http://localhost:4318. The variables OTEL_... set the rest. Default: no spans")
  @Nullable String endpoint;

  /**
   * @throws IllegalArgumentException if it is no address of HTTP
   */
  Optional<URI> parse() {
    if (endpoint == null) {
      return Optional.empty();
    }
    try {
      URI parsed = new URI(endpoint);
      boolean isHttp = "http".equals(parsed.getScheme()) || "https".equals(parsed.getScheme());
      if (isHttp && parsed.getHost() != null && parsed.getQuery() == null) {
        return Optional.of(parsed);
      }
    } catch (URISyntaxException e) {
      // Reported below.
    }
    throw new IllegalArgumentException(
        "--otlp-endpoint is %s: expected http://HOST:4318 or https://HOST:4318"
            .formatted(Quoted.of(endpoint)));
  }
}
