package dev.mintmark.app.http;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException;
import io.opentelemetry.sdk.resources.Resource;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends spans of requests to an OpenTelemetry collector, by OTLP over HTTP. A request that has
 * {@code traceparent} (W3C Trace Context) continues that trace. Names and attributes are those of
 * the semantic conventions for HTTP, without those that have values of a path or a query.
 *
 * <p>The standard environment variables {@code OTEL_...} set the name of the service, the sampler,
 * the headers of the exporter and so on. Spans are sent in batches by a thread of the SDK; what the
 * collector does not take is dropped, and never delays a request. Safe for use by many threads. The
 * classes of OpenTelemetry are loaded with this one.
 */
public final class Tracing implements AutoCloseable {
  private static final String SERVICE = "mintmark";

  private static final AttributeKey<String> METHOD = AttributeKey.stringKey("http.request.method");
  private static final AttributeKey<String> ROUTE = AttributeKey.stringKey("http.route");
  private static final AttributeKey<String> SCHEME = AttributeKey.stringKey("url.scheme");
  private static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");
  private static final AttributeKey<Long> STATUS =
      AttributeKey.longKey("http.response.status_code");
  private static final AttributeKey<String> REQUEST_ID =
      AttributeKey.stringKey("mintmark.request_id");
  private static final AttributeKey<String> VERSION = AttributeKey.stringKey("service.version");

  private static final int CLOSE_SECONDS = 5;

  private static final TextMapGetter<HttpServletRequest> HEADERS =
      new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(HttpServletRequest request) {
          return Collections.list(request.getHeaderNames());
        }

        @Override
        public @Nullable String get(@Nullable HttpServletRequest request, String header) {
          return request == null ? null : request.getHeader(header);
        }
      };

  private final OpenTelemetrySdk sdk;
  private final Tracer tracer;

  private Tracing(OpenTelemetrySdk sdk) {
    this.sdk = sdk;
    this.tracer = sdk.getTracer("dev.mintmark");
  }

  /**
   * Sends spans to a collector.
   *
   * @param endpoint its address without a path, or with the one before {@code /v1/traces}
   * @param version the version of this program
   * @throws IllegalArgumentException if an environment variable of OpenTelemetry is wrong
   */
  public static Tracing to(URI endpoint, String version) {
    try {
      return new Tracing(sdk(endpoint, version));
    } catch (ConfigurationException e) {
      throw new IllegalArgumentException("OpenTelemetry: " + e.getMessage(), e);
    }
  }

  private static OpenTelemetrySdk sdk(URI endpoint, String version) {
    return AutoConfiguredOpenTelemetrySdk.builder()
        .disableShutdownHook()
        .addPropertiesSupplier(() -> Map.of("otel.service.name", SERVICE))
        .addPropertiesCustomizer(
            set ->
                Map.of(
                    "otel.exporter.otlp.endpoint", endpoint.toString(),
                    "otel.exporter.otlp.protocol", "http/protobuf",
                    "otel.traces.exporter", "otlp",
                    "otel.metrics.exporter", "none",
                    "otel.logs.exporter", "none"))
        .addResourceCustomizer(
            (resource, set) -> Resource.create(Attributes.of(VERSION, version)).merge(resource))
        .build()
        .getOpenTelemetrySdk();
  }

  /** The span of a request. For one thread at a time. */
  static final class RequestSpan {
    private final Span span;
    private final String method;

    private RequestSpan(Span span, String method) {
      this.span = span;
      this.method = method;
    }

    /** The id of its trace: 32 hexadecimal digits. */
    String traceId() {
      return span.getSpanContext().getTraceId();
    }

    /**
     * @param route the template of the path
     */
    void end(String route, int status, @Nullable String requestId) {
      span.updateName(method + " " + route);
      span.setAttribute(ROUTE, route);
      span.setAttribute(STATUS, (long) status);
      if (requestId != null) {
        span.setAttribute(REQUEST_ID, requestId);
      }
      if (status >= 500) {
        span.setStatus(StatusCode.ERROR);
        span.setAttribute(ERROR_TYPE, Integer.toString(status));
      }
      span.end();
    }
  }

  /**
   * Begins the span of a request.
   *
   * @param method its method, which is a known one
   */
  RequestSpan begin(HttpServletRequest request, String method) {
    Context parent =
        sdk.getPropagators().getTextMapPropagator().extract(Context.root(), request, HEADERS);
    return new RequestSpan(
        tracer
            .spanBuilder(method)
            .setParent(parent)
            .setSpanKind(SpanKind.SERVER)
            .setAttribute(METHOD, method)
            .setAttribute(SCHEME, Objects.requireNonNullElse(request.getScheme(), "http"))
            .startSpan(),
        method);
  }

  /** Sends the spans that wait, for a few seconds at most. */
  @Override
  public void close() {
    var unused = sdk.shutdown().join(CLOSE_SECONDS, TimeUnit.SECONDS);
  }
}
