package dev.mintmark.app.http;

import dev.mintmark.app.view.Json;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;

/**
 * Reads the body of a request before anything else handles it. A body that has not arrived yet
 * occupies no thread, and must be complete before a deadline: slow clients cannot stop the server.
 *
 * <p>If the body arrived with the request, which is usual, it is read at once. Otherwise the
 * request waits asynchronously and is dispatched again when its body is complete.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class BodyFilter extends EveryDispatchFilter {
  /** The maximum of bytes of a body, except of those that {@link #TEXT_BYTES_MAX} is for. */
  static final int BODY_BYTES_MAX = 1 << 16;

  /** That of a text to inspect or to import, with its escapes, and of claims to keep alive. */
  static final int TEXT_BYTES_MAX = Json.DOCUMENT_BYTES_MAX;

  /** The time for a whole body. docs/errors.md states it. */
  static final Duration BODY_TIME_MAX = Duration.ofSeconds(5);

  /** Bytes of a body that is too large and is read nevertheless, so that clients see the answer. */
  private static final int DISCARDED_BYTES_MAX = 4 << 20;

  /** Bodies of at most {@link #BODY_BYTES_MAX} that arrive at the same time: 16 MiB. */
  private static final int ARRIVING_MAX = 256;

  /** What larger bodies have together until they are answered, in {@link #BODY_BYTES_MAX}. */
  private static final int LARGE_MAX = 256;

  private static final String RETRY_SECONDS = "1";

  /** The attribute with the bytes of a body, for those who do not take it from the request. */
  static final String BYTES = BodyFilter.class.getName() + ".BYTES";

  private static final String BODY = BodyFilter.class.getName() + ".BODY";

  private final ProblemWriter problems;
  private final Semaphore arriving = new Semaphore(ARRIVING_MAX);
  private final Semaphore large = new Semaphore(LARGE_MAX);

  BodyFilter(ProblemWriter problems) {
    this.problems = problems;
  }

  @Override
  void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    if (!hasBody(request)) {
      chain.doFilter(request, response);
      return;
    }
    if (request.getAttribute(BODY) instanceof Body arrived) {
      proceed(request, response, chain, arrived);
      return;
    }
    ServletInputStream in = request.getInputStream();
    Body body = new Body(bytesMax(request));
    if (isReadAtOnce(in, request.getContentLength(), body)) {
      proceed(request, response, chain, body);
      return;
    }
    int weight = weight(request);
    Semaphore places = weight > 1 ? large : arriving;
    if (places.tryAcquire(weight)) {
      AsyncContext waiting = request.startAsync(request, response);
      waiting.setTimeout(BODY_TIME_MAX.toMillis());
      Arrival arrival = new Arrival(waiting, in, body, places, weight);
      waiting.addListener(arrival);
      in.setReadListener(arrival);
    } else {
      response.setHeader(HttpHeaders.RETRY_AFTER, RETRY_SECONDS);
      refuseAndClose(
          request,
          response,
          ProblemCode.TIMEOUT,
          weight > 1
              ? "too many requests have a large body"
              : "too many requests send their body slowly");
    }
  }

  /**
   * Reads what has arrived of a body, and returns whether that is all of it. Tomcat says of bytes
   * in its buffer only that there are some, and a read returns them without waiting for more.
   */
  private static boolean isReadAtOnce(ServletInputStream in, int length, Body body)
      throws IOException {
    if (length < 0 || length > BODY_BYTES_MAX) {
      return false;
    }
    byte[] buffer = new byte[length];
    while (body.size < length && in.available() > 0) {
      int read = in.read(buffer);
      if (read < 0) {
        break;
      }
      body.add(buffer, read);
    }
    return body.size == length;
  }

  private static int bytesMax(HttpServletRequest request) {
    String path = RequestPath.of(request);
    boolean isLarge =
        path.equals(InspectionsController.PATH)
            || path.endsWith(PoolTransferController.IMPORT_PATH_END)
            || path.endsWith(ManyClaimsController.KEEP_ALIVE_PATH_END);
    return isLarge ? TEXT_BYTES_MAX : BODY_BYTES_MAX;
  }

  /** The memory that a body needs, in {@link #BODY_BYTES_MAX}. */
  private static int weight(HttpServletRequest request) {
    int max = bytesMax(request);
    long length = request.getContentLengthLong();
    long bytes = length < 0 ? max : Math.min(length, max);
    return Math.toIntExact((bytes + BODY_BYTES_MAX - 1) / BODY_BYTES_MAX);
  }

  private static boolean hasBody(HttpServletRequest request) {
    return request.getContentLengthLong() > 0
        || request.getHeader(HttpHeaders.TRANSFER_ENCODING) != null;
  }

  private void proceed(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain, Body body)
      throws ServletException, IOException {
    byte[] bytes = body.bytes();
    if (body.isTooLarge()) {
      problems.write(
          response,
          ProblemCode.BODY_TOO_LARGE.problem(
              "the body is too large: the maximum is %s bytes".formatted(body.bytesMax)));
    } else if (isJson(request) && !isUtf8(bytes)) {
      problems.write(
          response, ProblemCode.MALFORMED_JSON.problem("malformed JSON: the body is not UTF-8"));
    } else {
      request.setAttribute(BYTES, bytes);
      chain.doFilter(new WithBody(request, bytes), response);
    }
  }

  private static boolean isJson(HttpServletRequest request) {
    String type = request.getContentType();
    return type != null && type.contains("json");
  }

  /** The parser of JSON accepts characters in more bytes than they need. */
  private static boolean isUtf8(byte[] bytes) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  /** Answers a request whose body was not read, and closes the connection without reading it. */
  private void refuseAndClose(
      HttpServletRequest request, HttpServletResponse response, ProblemCode code, String detail)
      throws IOException {
    response.setHeader(HttpHeaders.CONNECTION, "close");
    problems.write(response, code.problem(detail));
    response.flushBuffer();
    if (request.getAttribute(ProblemValve.CLOSE) instanceof Runnable close) {
      close.run();
    }
  }

  /** The bytes of a body. */
  private static final class Body {
    private final int bytesMax;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private long size;

    Body(int bytesMax) {
      this.bytesMax = bytesMax;
    }

    void add(byte[] part, int length) {
      size += length;
      if (size <= bytesMax) {
        bytes.write(part, 0, length);
      }
    }

    boolean isTooLarge() {
      return size > bytesMax;
    }

    byte[] bytes() {
      return bytes.toByteArray();
    }
  }

  /**
   * A body that arrives piece by piece. One that is not large gives its place back when it is
   * complete: what handles the request may take long, and is limited by the threads.
   */
  private final class Arrival implements ReadListener, AsyncListener {
    private final AsyncContext waiting;
    private final ServletInputStream in;
    private final Body body;
    private final Semaphore places;
    private final int weight;
    private final byte[] buffer = new byte[8 << 10];

    Arrival(AsyncContext waiting, ServletInputStream in, Body body, Semaphore places, int weight) {
      this.body = body;
      this.places = places;
      this.weight = weight;
      this.waiting = waiting;
      this.in = in;
    }

    @Override
    public void onDataAvailable() throws IOException {
      while (in.isReady() && !in.isFinished()) {
        int read = in.read(buffer);
        if (read < 0) {
          return;
        }
        body.add(buffer, read);
        if (body.size > DISCARDED_BYTES_MAX) {
          end(ProblemCode.BODY_TOO_LARGE, "the body is too large");
          return;
        }
      }
    }

    @Override
    public void onAllDataRead() {
      if (weight == 1) {
        release();
      }
      waiting.getRequest().setAttribute(BODY, body);
      waiting.dispatch();
    }

    /** The connection failed, or the body is not encoded as its headers say. */
    @Override
    public void onError(Throwable e) {
      try {
        end(ProblemCode.MALFORMED_REQUEST, "the body cannot be read");
      } catch (IOException gone) {
        // Nobody is there to read the answer.
      }
    }

    @Override
    public void onTimeout(AsyncEvent event) throws IOException {
      end(
          ProblemCode.REQUEST_TIMEOUT,
          "the body was not complete after %s s".formatted(BODY_TIME_MAX.toSeconds()));
    }

    private void end(ProblemCode code, String detail) throws IOException {
      try {
        refuseAndClose(
            (HttpServletRequest) waiting.getRequest(),
            (HttpServletResponse) waiting.getResponse(),
            code,
            detail);
      } finally {
        waiting.complete();
      }
    }

    /** The request was answered. */
    @Override
    public void onComplete(AsyncEvent event) {
      release();
    }

    @Override
    public void onError(AsyncEvent event) {}

    @Override
    public void onStartAsync(AsyncEvent event) {
      release();
    }

    private boolean released;

    private synchronized void release() {
      if (!released) {
        released = true;
        places.release(weight);
      }
    }
  }

  /** A request whose body was read. */
  private static final class WithBody extends HttpServletRequestWrapper {
    private final byte[] body;
    private @Nullable ServletInputStream in;

    WithBody(HttpServletRequest request, byte[] body) {
      super(request);
      this.body = body;
    }

    @Override
    public ServletInputStream getInputStream() {
      ServletInputStream opened = in;
      if (opened == null) {
        opened = new BodyStream(new ByteArrayInputStream(body));
        in = opened;
      }
      return opened;
    }

    @Override
    public BufferedReader getReader() {
      return new BufferedReader(new InputStreamReader(getInputStream(), StandardCharsets.UTF_8));
    }
  }

  private static final class BodyStream extends ServletInputStream {
    private final ByteArrayInputStream bytes;

    BodyStream(ByteArrayInputStream bytes) {
      this.bytes = bytes;
    }

    @Override
    public boolean isFinished() {
      return bytes.available() == 0;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
      throw new IllegalStateException("the body has been read");
    }

    @Override
    public int read() {
      return bytes.read();
    }

    @Override
    public int read(byte[] buffer, int offset, int length) {
      return bytes.read(buffer, offset, length);
    }

    @Override
    public int available() {
      return bytes.available();
    }
  }
}
