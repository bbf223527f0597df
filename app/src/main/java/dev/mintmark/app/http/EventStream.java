package dev.mintmark.app.http;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * A response of server-sent events (WHATWG HTML, section 9.2) to one client. No thread waits for
 * the client: what its connection does not take is sent by the server's poller when it does.
 *
 * <pre>
 *   send("pool", 1)     sent
 *   send("pool", 2)     waits: the connection takes no more
 *   send("pool", 3)     replaces 2
 *   the client reads    3 is sent
 * </pre>
 *
 * <p>Events of one slot replace one another while they wait, so a slow client gets the latest, and
 * a stream keeps as many bytes as its slots have. Safe for use by many threads.
 */
final class EventStream implements WriteListener, AsyncListener {
  /** A connection that takes nothing for so long is closed. */
  static final Duration PATIENCE = Duration.ofSeconds(10);

  /**
   * A comment in two parts, sent one after the other: the first makes the host of a client that is
   * gone refuse the connection, which the second then reports.
   */
  private static final Event[] HEARTBEAT = {
    new Event("", bytes(":\n")), new Event("", bytes("\n"))
  };

  /** How long a browser waits before it opens the stream again. */
  private static final byte[] RETRY = bytes("retry: 2000\n\n");

  private final AsyncContext context;
  private final ServletOutputStream out;
  private final Runnable closeConnection;
  private final Runnable ended;
  private final LongSupplier nanoTime;

  /** What waits, in the order in which it is sent. */
  private final Map<String, byte[]> waiting = new LinkedHashMap<>();

  private Sent sent = Sent.WRITTEN;
  private long takenNanos;
  private boolean isEnding;
  private boolean isOver;

  /** How far what was written last has come. */
  private enum Sent {
    /** In the server. */
    WRITTEN,
    /** Offered to the connection, which may have taken a part of it. */
    FLUSHED,
    /** With the client, or on the way to it. */
    TAKEN
  }

  /** An event as it is sent. It replaces one of the same slot that waits. */
  static final class Event {
    private final String slot;
    private final byte[] bytes;

    private Event(String slot, byte[] bytes) {
      this.slot = slot;
      this.bytes = bytes;
    }

    /**
     * Returns an event.
     *
     * @param data one line
     */
    static Event of(String slot, String type, String data) {
      return new Event(slot, EventStream.bytes("event: " + type + "\ndata: " + data + "\n\n"));
    }
  }

  private EventStream(
      AsyncContext context,
      ServletOutputStream out,
      Runnable closeConnection,
      Runnable ended,
      LongSupplier nanoTime) {
    this.context = context;
    this.out = out;
    this.closeConnection = closeConnection;
    this.ended = ended;
    this.nanoTime = nanoTime;
    this.takenNanos = nanoTime.getAsLong();
    waiting.put("retry", RETRY);
  }

  /**
   * Begins the response. Its head is sent when this request has left its thread.
   *
   * @param ended is run once when the stream has ended, for any reason
   */
  static EventStream start(
      HttpServletRequest request,
      HttpServletResponse response,
      Runnable ended,
      LongSupplier nanoTime)
      throws IOException {
    response.setContentType("text/event-stream");
    response.setCharacterEncoding(StandardCharsets.UTF_8.name());
    response.setHeader("Cache-Control", "no-store");
    // A proxy must not collect events: the name is that of nginx, and others know it.
    response.setHeader("X-Accel-Buffering", "no");
    request.setAttribute(RequestLogValve.STREAM_STATUS, response.getStatus());
    AsyncContext context = request.startAsync(request, response);
    context.setTimeout(0);
    Runnable close =
        request.getAttribute(ProblemValve.CLOSE) instanceof Runnable present ? present : () -> {};
    EventStream stream =
        new EventStream(context, response.getOutputStream(), close, ended, nanoTime);
    context.addListener(stream);
    stream.out.setWriteListener(stream);
    return stream;
  }

  /** Sends an event, now or as soon as the connection takes it. */
  synchronized void send(Event event) {
    if (!isOver && !isEnding) {
      if (isTaken()) {
        takenNanos = nanoTime.getAsLong();
      }
      waiting.remove(event.slot);
      waiting.put(event.slot, event.bytes);
      write();
    }
  }

  /**
   * Sends a part of a comment. A client that is gone is noticed when one of the two parts cannot be
   * sent.
   *
   * @param part 0, and a moment later 1
   */
  void sendHeartbeat(int part) {
    send(HEARTBEAT[part]);
  }

  /** Ends the stream after what waits. */
  synchronized void end() {
    if (!isOver) {
      isEnding = true;
      write();
    }
  }

  /** Ends the stream at once: what waits is not sent. */
  synchronized void endNow() {
    waiting.clear();
    if (isTaken()) {
      end();
    } else {
      abort();
    }
  }

  /** Closes the connection if it has taken nothing for too long. */
  synchronized void endIfStalled() {
    if (!isOver && !isTaken() && nanoTime.getAsLong() - takenNanos > PATIENCE.toNanos()) {
      abort();
    }
  }

  private boolean isTaken() {
    return waiting.isEmpty() && sent == Sent.TAKEN;
  }

  @Override
  public synchronized void onWritePossible() {
    write();
  }

  /** Writes for as long as the connection takes what is written. */
  private void write() {
    try {
      while (!isOver && !isTaken() && out.isReady()) {
        takenNanos = nanoTime.getAsLong();
        if (!waiting.isEmpty()) {
          out.write(next());
          sent = Sent.WRITTEN;
        } else if (sent == Sent.WRITTEN) {
          out.flush();
          sent = Sent.FLUSHED;
        } else {
          sent = Sent.TAKEN;
        }
      }
      if (isEnding && !isOver && isTaken()) {
        over();
        context.complete();
      }
    } catch (IOException | IllegalStateException e) {
      abort(); // The client is gone.
    }
  }

  private byte[] next() {
    Iterator<byte[]> first = waiting.values().iterator();
    byte[] bytes = first.next();
    first.remove();
    return bytes;
  }

  /** The container reports this to {@link #onError(AsyncEvent)}, which completes the response. */
  private void abort() {
    if (!isOver) {
      over();
      closeConnection.run();
    }
  }

  private synchronized void over() {
    if (!isOver) {
      isOver = true;
      waiting.clear();
      ended.run();
    }
  }

  @Override
  public void onError(Throwable e) {
    over();
  }

  @Override
  public void onComplete(AsyncEvent event) {
    over();
  }

  @Override
  public void onTimeout(AsyncEvent event) {
    over();
    context.complete();
  }

  @Override
  public void onError(AsyncEvent event) {
    over();
    context.complete();
  }

  @Override
  public void onStartAsync(AsyncEvent event) {}

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
