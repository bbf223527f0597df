package dev.mintmark.app.http;

import dev.mintmark.app.access.Access;
import dev.mintmark.app.access.AccessUnavailableException;
import dev.mintmark.app.access.Principal;
import dev.mintmark.app.service.PoolEvent;
import dev.mintmark.app.service.PoolWatch;
import dev.mintmark.app.view.Json;
import dev.mintmark.app.view.PoolEventJson;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.Pools;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The streams of the clients that watch pools. However many watch a pool, one reader reads it, and
 * only while somebody does. Readers and streams wait for no client. Safe for use by many threads.
 */
final class PoolWatches implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PoolWatches.class);

  /** The most watches of a server. docs/http.md states both limits. */
  static final int WATCHES_MAX = 64;

  /** The most watches with one key, in any number of sessions. */
  static final int WATCHES_OF_KEY_MAX = 8;

  /** Readers at the same time: claims need the connections to the database. */
  private static final int READERS_MAX = 2;

  private static final Duration HEARTBEAT_EVERY = Duration.ofSeconds(15);
  private static final Duration CHECK_EVERY = Duration.ofSeconds(1);

  private final Pools pools;
  private final Optional<Access> access;
  private final Listening listening;
  private final LongSupplier nanoTime;
  private final AtomicLong readings = new AtomicLong();
  private final ScheduledThreadPoolExecutor readers = threads("mintmark-watch-read", READERS_MAX);
  private final ScheduledThreadPoolExecutor upkeep = threads("mintmark-watch", 2);

  /** The watches that are open. A stream removes its own, so nothing may wait for a stream. */
  private final Set<Watch> open = ConcurrentHashMap.newKeySet();

  private final Map<Pool, Channel> channels = new HashMap<>();
  private volatile long heartbeatNanos;
  private boolean isHeartbeatBegun;
  private boolean isUpkeepBegun;
  private volatile boolean isClosed;

  /** A client that watches. */
  private static final class Watch {
    private final Channel channel;
    private final Caller caller;
    private volatile @Nullable EventStream stream;

    Watch(Channel channel, Caller caller) {
      this.channel = channel;
      this.caller = caller;
    }

    Optional<EventStream> stream() {
      return Optional.ofNullable(stream);
    }
  }

  /**
   * @param pools those that are watched
   * @param access the keys; empty: the server has no accounts
   */
  PoolWatches(Pools pools, Optional<Access> access, Listening listening, LongSupplier nanoTime) {
    this.pools = pools;
    this.access = access;
    this.listening = listening;
    this.nanoTime = nanoTime;
  }

  private static ScheduledThreadPoolExecutor threads(String name, int threads) {
    AtomicInteger count = new AtomicInteger();
    return new ScheduledThreadPoolExecutor(
        threads,
        task -> {
          Thread thread = new Thread(task, name + "-" + count.incrementAndGet());
          thread.setDaemon(true);
          return thread;
        });
  }

  /** How many watches are open. */
  int count() {
    return open.size();
  }

  /** How many times a pool was read for those who watch it. */
  long readings() {
    return readings.get();
  }

  /**
   * Answers a request with the events of a pool.
   *
   * @throws ProblemException if too many watch already, or the server stops
   */
  void watch(Pool pool, Caller caller, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Watch watch = enter(pool, caller);
    try {
      EventStream stream = EventStream.start(request, response, () -> open.remove(watch), nanoTime);
      watch.channel.join(watch, stream);
    } catch (IOException | RuntimeException e) {
      open.remove(watch);
      throw e;
    }
  }

  private synchronized Watch enter(Pool pool, Caller caller) {
    if (isClosed) {
      throw new ProblemException(ProblemCode.TIMEOUT, "the server stops");
    }
    checkRoom(caller);
    beginUpkeep();
    Channel channel = channels.get(pool);
    if (channel == null) {
      channel = new Channel(pool);
      channels.put(pool, channel);
      readers.execute(channel);
    }
    Watch watch = new Watch(channel, caller);
    open.add(watch);
    return watch;
  }

  /** A server whose pools nobody watches has no thread for it. */
  private void beginUpkeep() {
    if (!isUpkeepBegun) {
      isUpkeepBegun = true;
      heartbeatNanos = nanoTime.getAsLong();
      every(CHECK_EVERY, this::beat);
      every(CHECK_EVERY, this::endThoseWithoutAccess);
    }
  }

  /** An exception would end the repetition. */
  private void every(Duration interval, Runnable task) {
    var unused =
        upkeep.scheduleWithFixedDelay(
            () -> {
              try {
                task.run();
              } catch (RuntimeException e) {
                LOG.error("the upkeep of watches failed", e);
              }
            },
            interval.toMillis(),
            interval.toMillis(),
            TimeUnit.MILLISECONDS);
  }

  private void checkRoom(Caller caller) {
    if (open.size() >= WATCHES_MAX) {
      throw tooMany("%s watches of pools are open: the most of a server".formatted(WATCHES_MAX));
    }
    Optional<String> key = caller.principal().map(Principal::id);
    if (key.isPresent() && countOf(key) >= WATCHES_OF_KEY_MAX) {
      throw tooMany(
          "the key has %s watches of pools open: the most of a key".formatted(WATCHES_OF_KEY_MAX));
    }
  }

  private long countOf(Optional<String> key) {
    return open.stream()
        .filter(watch -> watch.caller.principal().map(Principal::id).equals(key))
        .count();
  }

  /** Clients that are gone make room before the next attempt: the heartbeat is due at once. */
  private ProblemException tooMany(String detail) {
    heartbeatNanos = nanoTime.getAsLong() - HEARTBEAT_EVERY.toNanos();
    return new ProblemException(ProblemCode.TOO_MANY_WATCHES, detail);
  }

  /** Sends the heartbeat when it is due, and ends the streams of clients that take nothing. */
  private void beat() {
    boolean isDue = nanoTime.getAsLong() - heartbeatNanos >= HEARTBEAT_EVERY.toNanos();
    if (isDue) {
      heartbeatNanos = nanoTime.getAsLong();
    }
    for (Watch watch : open) {
      watch.stream()
          .ifPresent(
              stream -> {
                if (isDue) {
                  stream.sendHeartbeat(0);
                } else if (isHeartbeatBegun) {
                  stream.sendHeartbeat(1);
                }
                stream.endIfStalled();
              });
    }
    isHeartbeatBegun = isDue;
  }

  /** Ends the streams of callers whose key or session has ended. */
  private void endThoseWithoutAccess() {
    for (Watch watch : open) {
      if (!mayGoOn(watch.caller)) {
        watch.stream().ifPresent(EventStream::endNow);
      }
    }
  }

  private boolean mayGoOn(Caller caller) {
    if (caller.principal().isEmpty()) {
      return !AccessFilter.areAccountsOn(access, listening);
    }
    return access.isPresent()
        && caller.session().map(access.get().sessions()::isOpen).orElse(true)
        && isInUse(caller.principal().get(), access.get());
  }

  private static boolean isInUse(Principal principal, Access access) {
    try {
      return access.isInUse(principal);
    } catch (AccessUnavailableException e) {
      return true; // Without the database no pool is read either. The next check decides.
    }
  }

  /** Ends all streams, and opens no other. */
  @Override
  public void close() {
    synchronized (this) {
      isClosed = true;
    }
    readers.shutdownNow();
    upkeep.shutdownNow();
    open.forEach(watch -> watch.stream().ifPresent(EventStream::endNow));
  }

  /** The reader of a pool, and what it said last to those who watch. */
  private final class Channel implements Runnable {
    private final Pool pool;
    private final PoolWatch reader;

    /** The present state of the pool, for those who join. */
    private final Map<String, EventStream.Event> state = new LinkedHashMap<>();

    private boolean isOver;

    Channel(Pool pool) {
      this.pool = pool;
      this.reader = PoolWatch.of(pools, pool);
    }

    /** Sends the present state to a new stream, and from then on all events. */
    synchronized void join(Watch watch, EventStream stream) {
      watch.stream = stream;
      state.values().forEach(stream::send);
      if (isOver || isClosed) {
        stream.end();
      }
    }

    /** Reads the pool, unless nobody watches any more, and again after a pause. */
    @Override
    public void run() {
      if (!isWatched()) {
        return;
      }
      try {
        readings.incrementAndGet();
        reader.read().forEach(this::publish);
      } catch (RuntimeException e) {
        if (!isClosed) {
          LOG.error("watching " + pool + " failed", e);
        }
      }
      try {
        var unused = readers.schedule(this, reader.pause().toMillis(), TimeUnit.MILLISECONDS);
      } catch (RejectedExecutionException e) {
        // The server stops.
      }
    }

    private boolean isWatched() {
      synchronized (PoolWatches.this) {
        boolean isWatched = !isOver && watches().stream().findAny().isPresent();
        if (!isWatched) {
          channels.remove(pool, this);
        }
        return isWatched;
      }
    }

    private List<Watch> watches() {
      return open.stream().filter(watch -> watch.channel == this).toList();
    }

    private synchronized void publish(PoolEvent event) {
      PoolEventJson json = PoolEventJson.of(event);
      EventStream.Event sent =
          EventStream.Event.of(
              slot(event), json.type(), Json.MAPPER.writeValueAsString(json.data()));
      keep(event, sent);
      for (Watch watch : watches()) {
        watch.stream().ifPresent(stream -> stream.send(sent));
        if (isOver) {
          watch.stream().ifPresent(EventStream::end);
        }
      }
    }

    private void keep(PoolEvent event, EventStream.Event sent) {
      if (event instanceof PoolEvent.Standing) {
        state.clear();
        state.put("pool", sent);
      } else if (event instanceof PoolEvent.Unavailable) {
        state.put("unavailable", sent);
      } else if (event instanceof PoolEvent.Deleted) {
        state.clear();
        state.put("deleted", sent);
        isOver = true;
      }
    }

    /** What replaces what if a client is slow: a threshold only the same one. */
    private static String slot(PoolEvent event) {
      return event instanceof PoolEvent.Threshold threshold
          ? "threshold " + threshold.percent()
          : event.getClass().getSimpleName();
    }
  }
}
