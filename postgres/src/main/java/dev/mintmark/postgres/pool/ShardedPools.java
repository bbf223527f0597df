package dev.mintmark.postgres.pool;

import dev.mintmark.PoolSpec;
import dev.mintmark.Quoted;
import dev.mintmark.Spelling;
import dev.mintmark.postgres.pool.PoolStandings.Arrival;
import dev.mintmark.postgres.pool.PoolStandings.Standing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The pools of several databases. Where a pool is, its databases say themselves: there is no
 * directory that could be out of date. A pool that is open here is found without asking any.
 */
final class ShardedPools extends Pools {
  /** How often a pool is looked for that is moved at the same moment. */
  private static final int TRIES_MAX = 3;

  /** By name, the first database first. */
  private final Map<String, DatabasePools> parts;

  private final DatabasePools first;
  private final ReentrantLock arriving = new ReentrantLock();
  private final SilentDatabases silent;

  private ShardedPools(Map<String, DatabasePools> parts, LongSupplier nanoTime) {
    this.parts = parts;
    this.first = parts.values().iterator().next();
    this.silent = new SilentDatabases(nanoTime);
  }

  static ShardedPools of(List<Pools> databases) {
    return of(databases, System::nanoTime);
  }

  /**
   * @param nanoTime the clock by which a database is silent for a while
   */
  static ShardedPools of(List<Pools> databases, LongSupplier nanoTime) {
    if (databases.isEmpty() || databases.size() > DATABASES_MAX) {
      throw new IllegalArgumentException(
          "%s databases: expected 1 to %s".formatted(databases.size(), DATABASES_MAX));
    }
    Map<String, DatabasePools> parts = new LinkedHashMap<>();
    for (Pools one : databases) {
      if (!(one instanceof DatabasePools part) || part.databases().isEmpty()) {
        throw new IllegalArgumentException(
            "the pools of a database without a name: expected Pools.over(name, dataSource)");
      }
      String name = part.databases().get(0);
      if (parts.put(name, part) != null) {
        throw new IllegalArgumentException("two databases are named " + Quoted.of(name));
      }
    }
    ShardedPools pools = new ShardedPools(parts, nanoTime);
    parts.values().forEach(part -> part.becomePartOf(pools));
    return pools;
  }

  @Override
  public void listenThrough(DataSource dataSource) {
    throw new IllegalStateException(
        "these are the pools of several databases: each listens by itself");
  }

  @Override
  public void reportFailovers(Failover.Listener listener) {
    parts.values().forEach(part -> part.reportFailovers(listener));
  }

  @Override
  public void reportClaims(ClaimListener listener) {
    parts.values().forEach(part -> part.reportClaims(listener));
  }

  @Override
  public boolean reportsClaims() {
    return parts.values().stream().anyMatch(DatabasePools::reportsClaims);
  }

  @Override
  public boolean watchesTimeline() {
    return parts.values().stream().allMatch(DatabasePools::watchesTimeline);
  }

  @Override
  public boolean isListening() {
    return parts.values().stream().allMatch(DatabasePools::isListening);
  }

  @Override
  public boolean create(PoolSpec spec) {
    DatabasePools target = target(spec);
    return whileNameIsTaken(
        spec.name(), target, confirm -> isFree(spec.name()) && target.create(spec, confirm));
  }

  @Override
  public Declared declare(PoolSpec spec) {
    DatabasePools target = target(spec);
    return find(spec.name(), false).isPresent()
        ? converge(spec)
        : whileNameIsTaken(
            spec.name(),
            target,
            confirm -> isFree(spec.name()) ? target.declareHere(spec, confirm) : converge(spec));
  }

  /** Never creates the pool: it may be moved after it was found. */
  private Declared converge(PoolSpec spec) {
    for (int tries = 1; ; tries++) {
      try {
        return require(spec.name()).converge(spec);
      } catch (PoolMovedException e) {
        if (tries == TRIES_MAX) {
          throw e;
        }
      }
    }
  }

  /**
   * Whether no database has a pool of this name, which the caller has taken. Copies that never
   * arrive are deleted.
   *
   * @throws PoolUnavailableException if a pool of this name was moved to a database that does not
   *     have it: it may have lost the pool, whose values are held
   */
  private boolean isFree(String name) {
    boolean isFree =
        findTwice(name, true).isEmpty()
            && parts.values().stream().allMatch(part -> hasNoCopy(part, name));
    if (isFree) {
      parts.values().forEach(part -> checkNotMoved(part, name));
    }
    return isFree;
  }

  private static void checkNotMoved(DatabasePools part, String name) {
    PoolStandings.movedTo(part.database(), name)
        .ifPresent(
            to -> {
              throw new PoolUnavailableException(
                  "pool %s was moved from the database %s to %s, which does not have it and may have lost it: to create a new one, delete the pool before"
                      .formatted(Quoted.of(name), nameOf(part), Quoted.of(to)));
            });
  }

  /** Whether a database has no copy of a pool, after one that never arrives was deleted. */
  private boolean hasNoCopy(DatabasePools part, String name) {
    Optional<Standing> copy = PoolStandings.of(part.database(), name).filter(Standing::isArriving);
    if (copy.isEmpty()) {
      return true;
    }
    Arrival arrival = Objects.requireNonNull(copy.get().arrival());
    if (PoolStandings.mayArrive(source(part, arrival).database(), arrival)) {
      return false;
    }
    part.deleteValues(name, part.deleteCopy(arrival.moveId()));
    return true;
  }

  /** The database that a new pool is created in. */
  private DatabasePools target(PoolSpec spec) {
    return spec.database().map(this::part).orElse(first);
  }

  /**
   * The pools of one of the databases.
   *
   * @throws IllegalArgumentException if there is no such database
   */
  DatabasePools part(String database) {
    DatabasePools part = parts.get(database);
    if (part == null) {
      throw new IllegalArgumentException(
          Spelling.unknown("database", database, List.copyOf(parts.keySet())));
    }
    return part;
  }

  /**
   * No other instance creates a pool of this name, in whichever database.
   *
   * @param creation receives what is to be run when the pool was created in {@code target}
   */
  private <T> T whileNameIsTaken(
      String name, DatabasePools target, Function<Runnable, T> creation) {
    NameHolder holder = new NameHolder(first.database(), name);
    try {
      if (!holder.take()) {
        throw new PoolUnavailableException(
            "pool %s: another instance creates a pool of that name".formatted(Quoted.of(name)));
      }
      return creation.apply(() -> confirm(name, holder, target));
    } finally {
      holder.giveBack();
    }
  }

  /**
   * A program that was stopped for minutes has lost the name: another one may have created the pool
   * in another database since.
   */
  private static void confirm(String name, NameHolder holder, DatabasePools target) {
    if (!holder.hasName()) {
      long unused = target.deleteUnlessHeld(name);
      throw new PoolUnavailableException(
          "pool %s: it took minutes to create it, and another instance may have done so meanwhile: create it again"
              .formatted(Quoted.of(name)));
    }
  }

  @Override
  public boolean delete(String name) {
    for (int tries = 1; tries <= TRIES_MAX; tries++) {
      Optional<DatabasePools> found = findTwice(name, false);
      if (found.isPresent() && found.get().delete(name)) {
        boolean unused = forgetDepartures(name);
        return true;
      }
    }
    return forgetDepartures(name);
  }

  @Override
  public long deleteUnlessHeld(String name) {
    long held = require(name).deleteUnlessHeld(name);
    if (held == 0) {
      boolean unused = forgetDepartures(name);
    }
    return held;
  }

  /**
   * Afterwards no message says that the pool was moved, and one of its name can be created. A
   * database that does not answer still does.
   *
   * @return whether a database had such a departure
   */
  private boolean forgetDepartures(String name) {
    AtomicBoolean forgotten = new AtomicBoolean();
    var unused =
        onEach(
            part -> {
              if (part.forgetDepartures(name)) {
                forgotten.set(true);
              }
            });
    return forgotten.get();
  }

  @Override
  public List<String> names() {
    TreeSet<String> names = new TreeSet<>();
    Set<String> arriving = new TreeSet<>();
    Collection<PoolUnavailableException> failures =
        onEach(
            part -> {
              names.addAll(part.names());
              arriving.addAll(part.arriving());
            });
    if (failures.size() == parts.size()) {
      throw failures.iterator().next();
    }
    arriving.removeAll(names);
    arriving.stream().filter(this::isFound).forEach(names::add);
    return List.copyOf(names);
  }

  /** Whether a pool is in one of the databases, as far as they answer. */
  private boolean isFound(String name) {
    try {
      return find(name, false).isPresent();
    } catch (PoolUnavailableException e) {
      return false;
    }
  }

  @Override
  public List<String> databases() {
    return List.copyOf(parts.keySet());
  }

  @Override
  public List<String> unreachable() {
    return parts.values().stream().flatMap(part -> part.unreachable().stream()).toList();
  }

  @Override
  public Pool open(String name) {
    Pool known = opened(name);
    if (known != null) {
      return known;
    }
    for (int tries = 1; ; tries++) {
      try {
        return require(name).open(name);
      } catch (PoolMovedException | UnknownPoolException e) {
        if (tries == TRIES_MAX) {
          throw e;
        }
      }
    }
  }

  private @Nullable Pool opened(String name) {
    for (DatabasePools part : parts.values()) {
      Pool known = part.opened(name);
      if (known != null) {
        return known;
      }
    }
    return null;
  }

  @Override
  public Optional<Pool> exhausted(String name) {
    return Optional.ofNullable(opened(name)).filter(Pool::isKnownToBeEmpty);
  }

  @Override
  public long sweep() {
    return each(DatabasePools::sweep);
  }

  @Override
  public void supply() {
    var unused =
        each(
            part -> {
              part.supply();
              return 0;
            });
  }

  @Override
  public long prune(String name, Instant before) {
    return require(name).prune(name, before);
  }

  @Override
  public long statements() {
    return parts.values().stream().mapToLong(DatabasePools::statements).sum();
  }

  @Override
  public void close() {
    parts.values().forEach(DatabasePools::close);
  }

  @Override
  List<DatabasePools> parts() {
    return List.copyOf(parts.values());
  }

  /**
   * The database that has a pool.
   *
   * @throws UnknownPoolException if none has it
   * @throws PoolUnavailableException if none has it and one of them does not answer, or two have it
   */
  DatabasePools require(String name) {
    return findTwice(name, false).orElseThrow(() -> missing(name));
  }

  private RuntimeException missing(String name) {
    for (DatabasePools part : parts.values()) {
      Optional<String> to = PoolStandings.movedTo(part.database(), name);
      if (to.isPresent() && find(name, false).isPresent()) {
        return new PoolMovedException(name, to.get()); // While the databases were asked.
      }
      if (to.isPresent()) {
        return new UnknownPoolException(name, nameOf(part), to.get());
      }
    }
    return new UnknownPoolException(name, names());
  }

  /** A database, and how a pool stands there. */
  private record Found(DatabasePools part, Standing standing) {
    /** Whether another database has the pool since it was moved there from here. */
    private boolean wasLeft(List<Found> others) {
      return others.stream()
          .anyMatch(other -> other.standing.cameFrom(nameOf(part), standing.poolId()));
    }

    /** Whether a move has left this copy of a pool that is used where it was. */
    private boolean isCopyOf(Found used) {
      return standing.isArriving()
          && Objects.requireNonNull(standing.arrival())
              .isFrom(nameOf(used.part), used.standing.poolId());
    }
  }

  private static String nameOf(DatabasePools part) {
    return part.databases().get(0);
  }

  /**
   * As {@link #find}. A pool that moves while the databases are asked one by one can be missed
   * once.
   */
  private Optional<DatabasePools> findTwice(String name, boolean sure) {
    return find(name, sure).or(() -> find(name, sure));
  }

  /**
   * The database that has a pool; empty if none has.
   *
   * @param sure whether every database must answer; otherwise one that has the pool is enough
   * @throws PoolUnavailableException if one does not answer that must, or two have the pool
   */
  private Optional<DatabasePools> find(String name, boolean sure) {
    List<Found> found = new ArrayList<>();
    Collection<PoolUnavailableException> failures =
        onEach(
            part ->
                silent
                    .ask(part, asked -> PoolStandings.of(asked.database(), name))
                    .ifPresent(standing -> found.add(new Found(part, standing))));
    if (sure && !failures.isEmpty()) {
      throw failures.iterator().next();
    }
    // A database that went back behind a move has the pool again: it is where it was moved to.
    List<Found> here =
        found.stream().filter(one -> !one.standing.isArriving() && !one.wasLeft(found)).toList();
    if (here.size() > 1) {
      throw new PoolUnavailableException(
          "pool %s is in the databases %s and %s: nothing is granted until one of the two is deleted"
              .formatted(Quoted.of(name), nameOf(here.get(0).part), nameOf(here.get(1).part)));
    }
    here.forEach(
        used ->
            found.stream()
                .filter(copy -> copy.isCopyOf(used))
                .forEach(copy -> deleteCopy(name, used, copy)));
    Optional<DatabasePools> part = here.stream().map(Found::part).findFirst();
    if (part.isEmpty()) {
      part = found.stream().filter(this::hasArrived).map(Found::part).findFirst();
    }
    if (part.isEmpty() && !failures.isEmpty()) {
      throw failures.iterator().next();
    }
    return part;
  }

  /** Whether a copy is the pool: the database that it came from has let it go. */
  private boolean hasArrived(Found copy) {
    Arrival arrival = Objects.requireNonNull(copy.standing.arrival());
    DatabasePools source = source(copy.part, arrival);
    boolean departed = PoolStandings.hasDeparted(source.database(), arrival.moveId());
    if (departed) {
      alone(
          copy,
          () ->
              PoolStandings.arrive(copy.part.database(), copy.standing.poolId(), arrival.moveId()));
    }
    return departed;
  }

  /**
   * The database that a pool is used in may have gone back behind its departure: a program that was
   * stopped before, and does not know, would make the copy the pool.
   */
  private void deleteCopy(String name, Found used, Found copy) {
    Arrival arrival = Objects.requireNonNull(copy.standing.arrival());
    alone(
        copy,
        () -> used.part.deleteCopy(name, used.standing.poolId(), copy.part, arrival.moveId()));
  }

  /** A thread at a time: many requests may wait for a large pool, whose rows take a while. */
  private void alone(Found copy, Runnable work) {
    if (!arriving.tryLock()) {
      throw new PoolUnavailableException(
          "a pool arrives in the database %s at present: try again in a second"
              .formatted(nameOf(copy.part)));
    }
    try {
      work.run();
    } finally {
      arriving.unlock();
    }
  }

  /** The database that a copy came from. */
  private DatabasePools source(DatabasePools part, Arrival arrival) {
    DatabasePools source = parts.get(arrival.source());
    if (source == null) {
      throw new PoolUnavailableException(
          "a pool arrives in the database %s from %s, which is not among those of this program: %s"
              .formatted(
                  nameOf(part), Quoted.of(arrival.source()), String.join(", ", parts.keySet())));
    }
    return source;
  }

  /** Asks each database; returns the failures of those that do not answer. */
  private Collection<PoolUnavailableException> onEach(Consumer<DatabasePools> question) {
    List<PoolUnavailableException> failures = new ArrayList<>();
    for (DatabasePools part : parts.values()) {
      try {
        question.accept(part);
      } catch (PoolUnavailableException e) {
        failures.add(e);
      }
    }
    return failures;
  }

  /** Works on each database; a failure is thrown after the others had their turn. */
  private long each(ToLongFunction<DatabasePools> work) {
    long[] sum = new long[1];
    Collection<PoolUnavailableException> failures =
        onEach(part -> sum[0] += work.applyAsLong(part));
    if (!failures.isEmpty()) {
      throw failures.iterator().next();
    }
    return sum[0];
  }
}
