package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.pool.PoolDatabase.Bind.bind;

import dev.mintmark.Block;
import dev.mintmark.CidrBlock;
import dev.mintmark.Ipv6Embedding;
import dev.mintmark.NumberRange;
import dev.mintmark.PoolSpec;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.pool.PoolDatabase.Bind;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The pools of a database: created, declared, opened for claiming, swept.
 *
 * <p>The tables come from the migrations at {@link #MIGRATIONS}, run by the migration tool of the
 * program's choice. The data source should give up on a database that does not answer (the driver's
 * {@code socketTimeout}): claims wait for it. Safe for use by many threads. Closing it lets claims
 * under way come to their end and takes no new ones; the data source stays open.
 */
public final class Pools implements AutoCloseable {
  /** Where the migrations that create the tables of pools are, on the class path (for Flyway). */
  public static final String MIGRATIONS = "dev/mintmark/postgres/pool/schema";

  private static final SqlFile CREATE_POOL = SqlFile.load(Pools.class, "create_pool");
  private static final SqlFile ADD_BLOCK = SqlFile.load(Pools.class, "add_block");
  private static final SqlFile UPDATE_SETTINGS = SqlFile.load(Pools.class, "update_settings");
  private static final SqlFile UPDATE_EXCLUDE = SqlFile.load(Pools.class, "update_exclude");
  private static final SqlFile DELETE_POOL = SqlFile.load(Pools.class, "delete_pool");
  private static final SqlFile LOCK_POOL = SqlFile.load(Pools.class, "lock_pool");
  private static final SqlFile LOAD_POOL = SqlFile.load(Pools.class, "load_pool");
  private static final SqlFile LOAD_BLOCKS = SqlFile.load(Pools.class, "load_blocks");
  private static final SqlFile LIST_POOLS = SqlFile.load(Pools.class, "list_pools");
  private static final SqlFile SWEEP = SqlFile.load(Pools.class, "sweep");

  /** Rows of either sort that one statement of a sweep moves in a pool at most. */
  private static final int SWEEP_BATCH = 10_000;

  private static final AtomicInteger THREADS = new AtomicInteger();

  private final PoolDatabase database;
  private final ExecutorService executor = Executors.newCachedThreadPool(Pools::newThread);
  private final Map<String, Pool> open = new ConcurrentHashMap<>();

  private Pools(PoolDatabase database) {
    this.database = database;
  }

  /** A pool as the database has it. */
  record Stored(int id, PoolSpec spec, PoolLayout layout) {}

  /**
   * What {@link #declare} found and did.
   *
   * @param created whether the pool is new
   * @param added the blocks that were added to a pool that was there
   * @param undeclared the blocks that it has beyond those declared; they stay
   * @param exclusionsDiffer whether blocks that were there exclude other values than is declared;
   *     they stay as they are
   */
  public record Declared(
      boolean created, List<Block> added, List<Block> undeclared, boolean exclusionsDiffer) {}

  /** The pools in the database that {@code dataSource} gives connections to. */
  public static Pools over(DataSource dataSource) {
    return new Pools(new PoolDatabase(dataSource));
  }

  /**
   * Creates a pool with all its values free. Takes time in proportion to their number.
   *
   * @return false if there is a pool of that name: it is left as it is
   * @throws PoolUnavailableException if the database did not answer
   */
  public boolean create(PoolSpec spec) {
    return inTransaction(spec.name(), connection -> create(connection, spec));
  }

  /**
   * Makes a pool of the database what it is declared to be, as far as that takes nothing away:
   * creates it, changes its lease, quarantine and IPv6 embedding, and adds blocks. Never removes a
   * block, and never changes what a block that is there excludes.
   *
   * @throws IllegalArgumentException if the new blocks and those that stay cannot be in one pool:
   *     they overlap, are of different families, or have too many values
   * @throws PoolUnavailableException if the database did not answer
   */
  public Declared declare(PoolSpec spec) {
    Declared declared =
        inTransaction(
            spec.name(),
            connection ->
                create(connection, spec)
                    ? new Declared(true, List.of(), List.of(), false)
                    : converge(connection, spec));
    Optional.ofNullable(open.get(spec.name())).ifPresent(Pool::reload);
    return declared;
  }

  /**
   * Removes a pool, with its claims: its values are held by nobody then. Another instance that has
   * it open notices at its next claim or count.
   *
   * @return false if there was no such pool
   */
  public boolean delete(String name) {
    boolean deleted =
        inTransaction(
            name, connection -> database.update(connection, DELETE_POOL, bind("name", name)) > 0);
    open.remove(name);
    return deleted;
  }

  /** The names of all pools of the database, in their order. */
  public List<String> names() {
    return database.query("*", LIST_POOLS, row -> row.getString("name"));
  }

  /**
   * Returns a pool for claiming: always the same object for the same name.
   *
   * @throws UnknownPoolException if the database has none of that name
   * @throws PoolUnavailableException if the database did not answer
   */
  public Pool open(String name) {
    Pool known = open.get(name);
    if (known != null) {
      return known;
    }
    Stored stored = load(name).orElseThrow(() -> new UnknownPoolException(name));
    return open.computeIfAbsent(name, ignored -> new Pool(this, database, executor, stored));
  }

  /**
   * Moves on what is due in all pools: claims whose lease has ended and values whose quarantine
   * has. Any number of instances may sweep. Claiming from a pool that has nothing free sweeps that
   * pool by itself; a sweep once a second keeps what is shown true.
   *
   * @return how many values became free
   */
  public long sweep() {
    return sweep(null, "*");
  }

  /** How many statements this instance has sent to the database. */
  public long statements() {
    return database.statements();
  }

  @Override
  public void close() {
    executor.shutdown();
  }

  /** Sweeps one pool, or all where {@code poolId} is null. */
  long sweep(@Nullable Integer poolId, String name) {
    long freedInAll = 0;
    while (true) {
      long[] moved =
          database
              .query(
                  name,
                  SWEEP,
                  row -> new long[] {row.getLong("ended"), row.getLong("freed")},
                  bind("pool_id", poolId),
                  bind("batch", SWEEP_BATCH))
              .get(0);
      freedInAll += moved[1];
      if (Math.max(moved[0], moved[1]) < SWEEP_BATCH) {
        return freedInAll;
      }
    }
  }

  /** Opens a pool anew when it is next asked for: the database has it no more, or has another. */
  void forget(Pool pool) {
    open.remove(pool.name(), pool);
  }

  Optional<Stored> load(String name) {
    return inTransaction(name, connection -> load(connection, name));
  }

  private Optional<Stored> load(Connection connection, String name) throws SQLException {
    List<StoredPool> pools =
        database.query(connection, LOAD_POOL, Pools::readPool, bind("name", name));
    if (pools.isEmpty()) {
      return Optional.empty();
    }
    StoredPool pool = pools.get(0);
    List<PoolLayout.Placed> blocks =
        database.query(connection, LOAD_BLOCKS, Pools::readBlock, bind("pool_id", pool.id));
    PoolSpec spec =
        new PoolSpec(
            name,
            blocks.stream().map(PoolLayout.Placed::block).toList(),
            pool.exclude,
            pool.lease,
            pool.quarantine,
            pool.ipv6);
    return Optional.of(new Stored(pool.id, spec, new PoolLayout(blocks)));
  }

  private boolean create(Connection connection, PoolSpec spec) throws SQLException {
    List<Integer> id =
        database.query(
            connection,
            CREATE_POOL,
            row -> row.getInt("pool_id"),
            settings(spec, bind("name", spec.name()), bind("exclude", texts(spec.exclude()))));
    if (id.isEmpty()) {
      return false;
    }
    for (Block block : spec.blocks()) {
      addBlock(connection, id.get(0), block, spec.exclude());
    }
    return true;
  }

  private Declared converge(Connection connection, PoolSpec spec) throws SQLException {
    database.query(connection, LOCK_POOL, row -> row.getInt("pool_id"), bind("name", spec.name()));
    Stored stored = load(connection, spec.name()).orElseThrow();
    List<Block> before = stored.spec.blocks();
    List<Block> added = minus(spec.blocks(), before);
    PoolSpec whole = withBlocks(spec, concat(before, added));
    database.update(connection, UPDATE_SETTINGS, settings(spec, bind("pool_id", stored.id)));
    for (Block block : added) {
      addBlock(connection, stored.id, block, spec.exclude());
    }
    if (!added.isEmpty()) {
      List<Block> recorded = concat(stored.spec.exclude(), overlapping(spec.exclude(), added));
      database.update(
          connection,
          UPDATE_EXCLUDE,
          bind("pool_id", stored.id),
          bind("exclude", texts(recorded.stream().distinct().toList())));
    }
    return new Declared(
        false,
        added,
        minus(whole.blocks(), spec.blocks()),
        !Set.copyOf(overlapping(spec.exclude(), before))
            .equals(Set.copyOf(overlapping(stored.spec.exclude(), before))));
  }

  /** The settings of a pool as both statements that write them take them, behind {@code others}. */
  private static Bind[] settings(PoolSpec spec, Bind... others) {
    Stream<Bind> settings =
        Stream.of(
            bind("lease_millis", spec.lease().map(Duration::toMillis).orElse(null)),
            bind("quarantine_millis", spec.quarantine().toMillis()),
            bind("ipv6_prefix", spec.ipv6().map(ipv6 -> ipv6.prefix().toString()).orElse(null)),
            bind("ipv6_source", spec.ipv6().map(Pools::ipv6Source).orElse(null)));
    return Stream.concat(Stream.of(others), settings).toArray(Bind[]::new);
  }

  private static String ipv6Source(Ipv6Embedding ipv6) {
    return ipv6.source().name().toLowerCase(Locale.ROOT);
  }

  /** The same pool with other blocks, which are checked like any. */
  private static PoolSpec withBlocks(PoolSpec spec, List<Block> blocks) {
    return new PoolSpec(
        spec.name(), blocks, spec.exclude(), spec.lease(), spec.quarantine(), spec.ipv6());
  }

  private static List<Block> overlapping(List<Block> exclusions, List<Block> blocks) {
    return exclusions.stream().filter(one -> blocks.stream().anyMatch(one::overlaps)).toList();
  }

  private static List<Block> concat(List<Block> blocks, List<Block> more) {
    return Stream.concat(blocks.stream(), more.stream()).toList();
  }

  private static String[] texts(List<Block> blocks) {
    return blocks.stream().map(Block::toString).toArray(String[]::new);
  }

  private void addBlock(Connection connection, int poolId, Block block, List<Block> exclude)
      throws SQLException {
    List<Block.Positions> excluded = exclude.stream().map(block::positionsIn).toList();
    database.update(
        connection,
        ADD_BLOCK,
        bind("pool_id", poolId),
        bind("addresses", block instanceof CidrBlock cidr ? cidr.toString() : null),
        bind(
            "numbers",
            block instanceof NumberRange range
                ? "[%d,%d]".formatted(range.first(), range.last())
                : null),
        bind("size", block.size()),
        bind("excluded_from", excluded.stream().map(Block.Positions::from).toArray(Long[]::new)),
        bind("excluded_to", excluded.stream().map(Block.Positions::to).toArray(Long[]::new)));
  }

  private static List<Block> minus(List<Block> blocks, List<Block> others) {
    List<Block> rest = new ArrayList<>(blocks);
    rest.removeAll(others);
    return rest;
  }

  private record StoredPool(
      int id,
      List<Block> exclude,
      Optional<Duration> lease,
      Duration quarantine,
      Optional<Ipv6Embedding> ipv6) {}

  private static StoredPool readPool(ResultSet row) throws SQLException {
    long leaseMillis = row.getLong("lease_millis");
    Optional<Duration> lease =
        row.wasNull() ? Optional.empty() : Optional.of(Duration.ofMillis(leaseMillis));
    String prefix = row.getString("ipv6_prefix");
    Optional<Ipv6Embedding> ipv6 = Optional.empty();
    if (prefix != null) {
      String source = row.getString("ipv6_source").toUpperCase(Locale.ROOT);
      ipv6 =
          Optional.of(
              new Ipv6Embedding(CidrBlock.parse(prefix), Ipv6Embedding.Source.valueOf(source)));
    }
    return new StoredPool(
        row.getInt("pool_id"),
        Arrays.stream((String[]) row.getArray("exclude").getArray()).map(Block::parse).toList(),
        lease,
        Duration.ofMillis(row.getLong("quarantine_millis")),
        ipv6);
  }

  private static PoolLayout.Placed readBlock(ResultSet row) throws SQLException {
    String addresses = row.getString("addresses");
    Block block =
        addresses == null
            ? new NumberRange(row.getLong("first_number"), row.getLong("last_number"))
            : CidrBlock.parse(addresses);
    return new PoolLayout.Placed(row.getLong("first_position"), block);
  }

  private <T> T inTransaction(String pool, PoolDatabase.Work<T> work) {
    try {
      return database.transaction(work);
    } catch (SQLException e) {
      throw new PoolUnavailableException(pool, e);
    }
  }

  private static Thread newThread(Runnable task) {
    Thread thread = new Thread(task, "mintmark-pool-" + THREADS.incrementAndGet());
    thread.setDaemon(true);
    return thread;
  }
}
