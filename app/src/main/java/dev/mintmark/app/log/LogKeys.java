package dev.mintmark.app.log;

/** The names of values beside the message of a log line. docs/operations.md describes them. */
public final class LogKeys {
  /** The logger of the access log. */
  public static final String ACCESS_LOGGER = "dev.mintmark.access";

  /** The id of the request that a line is about. */
  public static final String REQUEST_ID = "request_id";

  /** The trace of the request, as {@code traceparent} (W3C Trace Context) named it. */
  public static final String TRACE_ID = "trace_id";

  /** Who sent the request: the id of the key, or else the address. */
  public static final String CALLER = "caller";

  /** The code of the problem that a line is about. */
  public static final String CODE = "code";

  private LogKeys() {}
}
