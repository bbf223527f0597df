package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;

import dev.mintmark.Block;
import dev.mintmark.CidrBlock;
import dev.mintmark.CidrPrefixes;
import dev.mintmark.Entropy;
import dev.mintmark.Ipv6Embedding;
import dev.mintmark.NumberRange;
import dev.mintmark.NumberRuns;
import dev.mintmark.PoolSpec;
import dev.mintmark.ValueList;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.Transactions.Bind;
import dev.mintmark.postgres.internal.Transactions.Statements;
import dev.mintmark.postgres.pool.StoredBlock.Exclusions;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The settings and blocks of pools in the database. The methods are parts of a transaction. */
final class PoolStore {
  private static final SqlFile CREATE_POOL = SqlFile.load(PoolStore.class, "create_pool");
  private static final SqlFile CREATE_SOURCE = SqlFile.load(PoolStore.class, "create_source");
  private static final SqlFile SET_KEEP_FREE = SqlFile.load(PoolStore.class, "set_keep_free");
  private static final SqlFile UPDATE_SETTINGS = SqlFile.load(PoolStore.class, "update_settings");
  private static final SqlFile LOCK_POOL = SqlFile.load(PoolStore.class, "lock_pool");
  private static final SqlFile LOCK_BLOCKS = SqlFile.load(PoolStore.class, "lock_blocks");
  private static final SqlFile LOAD_POOL = SqlFile.load(PoolStore.class, "load_pool");
  private static final SqlFile LOAD_BLOCKS = SqlFile.load(PoolStore.class, "load_blocks");
  private static final SqlFile LOAD_LISTED = SqlFile.load(PoolStore.class, "load_listed");
  private static final SqlFile ADD_BLOCKS = SqlFile.load(PoolStore.class, "add_blocks");
  private static final SqlFile ADD_LISTED = SqlFile.load(PoolStore.class, "add_listed");
  private static final SqlFile DRAIN = SqlFile.load(PoolStore.class, "drain");
  private static final SqlFile REMOVE_BLOCK = SqlFile.load(PoolStore.class, "remove_block");
  private static final SqlFile REMOVE_LISTED = SqlFile.load(PoolStore.class, "remove_listed");

  /** The widest block that is stored as one, 2^62 values: places are numbers of 63 bits. */
  private static final int WHOLE_PREFIX_LENGTH_IPV6 = 66;

  private static final int SEED_BYTES = 16;

  private PoolStore() {}

  /**
   * A pool as the database has it.
   *
   * @param longestLease the longest that a claim may have, as far as is known
   * @param stoppedAt since when it grants nothing, if it is stopped
   * @param isMoving whether it leaves for another database, or arrives from one
   * @param gate who may claim
   * @param askedAt when its source answered last, if it has one
   */
  record StoredPool(
      int id,
      PoolSpec spec,
      PoolLayout layout,
      Optional<Duration> longestLease,
      Optional<Instant> stoppedAt,
      boolean isMoving,
      PoolGate gate,
      Optional<Instant> askedAt) {
    private StoredPool in(PoolDatabase database) {
      PoolSpec placed = database.name().isPresent() ? spec.withDatabase(database.name()) : spec;
      return new StoredPool(id, placed, layout, longestLease, stoppedAt, isMoving, gate, askedAt);
    }
  }

  /** Locks the row of a pool until the transaction ends. Empty if there is no such pool. */
  static Optional<Integer> lock(Statements statements, String name) throws SQLException {
    return statements.query(LOCK_POOL, row -> row.getInt("pool_id"), bind("name", name)).stream()
        .findFirst();
  }

  /** Locks the blocks of a pool until the transaction ends, as lock_blocks.sql says. */
  static void lockBlocks(Statements statements, int poolId) throws SQLException {
    statements.query(LOCK_BLOCKS, row -> "", bind("pool_id", poolId));
  }

  /** Reads a pool in a transaction of its own, as {@link #load(Statements, String, Optional)}. */
  static Optional<StoredPool> load(PoolDatabase database, String name, Optional<PoolLayout> known) {
    return database.transaction(
        statements -> load(statements, name, known).map(pool -> pool.in(database)), result -> true);
  }

  /** Reads a pool in a transaction of its own, with the blocks that were removed. */
  static Optional<StoredPool> loadWithRemoved(
      PoolDatabase database, String name, PoolLayout known) {
    return database.transaction(
        statements ->
            load(statements, name, true, Optional.of(known)).map(pool -> pool.in(database)),
        result -> true);
  }

  /**
   * Reads a pool.
   *
   * @param known the layout as read before: the values of its lists, which never change, are reused
   */
  static Optional<StoredPool> load(Statements statements, String name, Optional<PoolLayout> known)
      throws SQLException {
    return load(statements, name, false, known);
  }

  private static Optional<StoredPool> load(
      Statements statements, String name, boolean withRemoved, Optional<PoolLayout> known)
      throws SQLException {
    List<Row> rows = statements.query(LOAD_POOL, PoolStore::readPool, bind("name", name));
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    Row row = rows.get(0);
    PoolLayout layout = loadLayout(statements, row.id, withRemoved, known);
    if (layout.blocks().isEmpty() && row.source.isEmpty()) {
      return Optional.empty(); // It was deleted or moved between the two statements.
    }
    return Optional.of(
        new StoredPool(
            row.id,
            row.settings.withBlocks(layout),
            layout,
            row.longestLease,
            row.stoppedAt,
            row.isMoving,
            row.gate,
            row.askedAt));
  }

  private static PoolLayout loadLayout(
      Statements statements, int poolId, boolean withRemoved, Optional<PoolLayout> known)
      throws SQLException {
    List<StoredBlock> blocks = new ArrayList<>();
    for (BlockRow block :
        statements.query(
            LOAD_BLOCKS,
            PoolStore::readBlock,
            bind("pool_id", poolId),
            bind("with_removed", withRemoved))) {
      blocks.add(load(statements, block, known));
    }
    return new PoolLayout(blocks);
  }

  /** Inserts a pool without issuing its values. False if a pool of that name exists. */
  static boolean create(Statements statements, PoolSpec spec) throws SQLException {
    List<Integer> id =
        statements.query(
            CREATE_POOL, row -> row.getInt("pool_id"), settings(spec, bind("name", spec.name())));
    if (id.isEmpty()) {
      return false;
    }
    if (spec.source().isPresent()) {
      PoolSpec.Source source = spec.source().get();
      statements.update(
          CREATE_SOURCE,
          bind("pool_id", id.get(0)),
          bind("source", source.pool()),
          bind("keep_free", source.keepFree()));
    } else {
      addBlocks(statements, id.get(0), spec.blocks(), spec.exclude());
    }
    return true;
  }

  /** Makes a pool as declared, as {@link Pools#declare} says. Empty if there is none. */
  static Optional<Pools.Declared> converge(Statements statements, PoolSpec spec)
      throws SQLException {
    Optional<Integer> locked = lock(statements, spec.name());
    if (locked.isEmpty()) {
      return Optional.empty();
    }
    int id = locked.get();
    StoredPool stored = load(statements, spec.name(), Optional.empty()).orElseThrow();
    PoolSupply.checkSame(stored.spec, spec);
    if (spec.source().isPresent()) {
      change(statements, id, spec.withBlocks(stored.spec.blocks()));
      return Optional.of(new Pools.Declared(false, List.of(), List.of(), List.of(), List.of()));
    }
    List<Block> before = stored.spec.blocks();
    List<Block> added = missing(spec.blocks(), before);
    PoolSpec whole = spec.withBlocks(joined(concat(before, added)));
    change(statements, id, whole);
    List<Block> exclude = concat(stored.spec.exclude(), spec.exclude());
    addBlocks(statements, id, added, exclude);
    StoredPool grown = load(statements, spec.name(), Optional.of(stored.layout)).orElseThrow();
    return Optional.of(
        new Pools.Declared(
            false,
            added,
            missing(before, spec.blocks()),
            PoolExclusions.exclude(statements, grown, spec.exclude()),
            PoolExclusions.rest(stored.spec.exclude(), spec.exclude())));
  }

  /** Changes the settings of a pool, which the caller has locked. */
  static void change(Statements statements, int poolId, PoolSpec spec) throws SQLException {
    statements.update(UPDATE_SETTINGS, settings(spec, bind("pool_id", poolId)));
    if (spec.source().isPresent()) {
      statements.update(
          SET_KEEP_FREE,
          bind("pool_id", poolId),
          bind("keep_free", spec.source().get().keepFree()));
    }
  }

  /**
   * Checks that a block can be in a pool with its existing blocks.
   *
   * @throws IllegalArgumentException if it cannot
   */
  static void checkTogether(PoolSpec spec, Block block, List<Block> exclude) {
    List<Block> together = concat(spec.blocks(), List.of(block));
    PoolSpec unused =
        spec.withBlocks(block instanceof ValueList ? joined(together) : together)
            .withExclude(concat(spec.exclude(), exclude));
  }

  /**
   * Adds blocks, those that are too wide in several parts. The caller has locked the pool.
   *
   * @param exclude what the whole pool excludes, now and before
   */
  static void addBlocks(Statements statements, int poolId, List<Block> blocks, List<Block> exclude)
      throws SQLException {
    List<StoredBlock> parts = blocks.stream().flatMap(block -> parts(block, exclude)).toList();
    Map<String, Integer> ids = new HashMap<>();
    statements.query(
        ADD_BLOCKS,
        row -> ids.put(row.getString("declared"), row.getInt("block_id")),
        bind("pool_id", poolId),
        bind("declared", strings(parts, StoredBlock::declared)),
        bind("addresses", strings(parts, PoolStore::addresses)),
        bind("prefix_lengths", parts.stream().map(PoolStore::prefixLength).toArray(Integer[]::new)),
        bind("numbers", strings(parts, PoolStore::numbers)),
        bind("run_lengths", longs(parts, PoolStore::runLength)),
        bind(
            "exclusions",
            strings(parts, part -> String.join("\n", texts(part.exclusions().changeable())))),
        bind("excluded_places", strings(parts, part -> part.excludedPlaces().toMultirange())),
        bind("sizes", longs(parts, StoredBlock::size)),
        bind("seeds", strings(parts, part -> HexFormat.of().formatHex(part.seed()))));
    for (Block block : blocks) {
      if (block instanceof ValueList list) {
        statements.update(
            ADD_LISTED,
            bind("pool_id", poolId),
            bind("block_id", Objects.requireNonNull(ids.get(list.toString()))),
            bind("values", list.values().toArray(String[]::new)));
      }
    }
  }

  /** Starts or ends the draining of a block. False if nothing changes. */
  static boolean drain(Statements statements, int poolId, String declared, boolean draining)
      throws SQLException {
    return statements.update(
            DRAIN, bind("pool_id", poolId), bind("declared", declared), bind("draining", draining))
        > 0;
  }

  /** Removes the parts of a block that can be removed. Returns how many. */
  static int removeBlock(Statements statements, int poolId, String declared) throws SQLException {
    Bind[] binds = {bind("pool_id", poolId), bind("declared", declared)};
    int removed = statements.update(REMOVE_BLOCK, binds);
    statements.update(REMOVE_LISTED, binds);
    return removed;
  }

  /** The parts of a block that are stored, not numbered yet. */
  private static Stream<StoredBlock> parts(Block block, List<Block> exclude) {
    boolean whole =
        !(block instanceof CidrBlock cidr)
            || cidr.isIpv4()
            || cidr.prefixLength() >= WHOLE_PREFIX_LENGTH_IPV6;
    List<? extends Block> parts =
        whole ? List.of(block) : ((CidrBlock) block).split(WHOLE_PREFIX_LENGTH_IPV6);
    return parts.stream().map(part -> part(block.toString(), part, exclude));
  }

  private static StoredBlock part(String declared, Block part, List<Block> exclude) {
    List<Block> excluded = overlapping(exclude.stream().distinct().toList(), List.of(part));
    byte[] seed = new byte[SEED_BYTES];
    Entropy.strong().nextBytes(seed);
    Exclusions exclusions = new Exclusions(List.of(), excluded);
    return new StoredBlock(0, declared, part, exclusions, seed, false, false);
  }

  private static @Nullable String[] strings(
      List<StoredBlock> parts, Function<StoredBlock, @Nullable String> text) {
    return parts.stream().map(text).toArray(String[]::new);
  }

  private static @Nullable Long[] longs(
      List<StoredBlock> parts, Function<StoredBlock, @Nullable Long> number) {
    return parts.stream().map(number).toArray(Long[]::new);
  }

  private static @Nullable String addresses(StoredBlock part) {
    Block addresses =
        part.block() instanceof CidrPrefixes prefixes ? prefixes.block() : part.block();
    return addresses instanceof CidrBlock ? addresses.toString() : null;
  }

  private static @Nullable Integer prefixLength(StoredBlock part) {
    return part.block() instanceof CidrPrefixes prefixes ? prefixes.length() : null;
  }

  private static @Nullable String numbers(StoredBlock part) {
    Block block = part.block();
    NumberRange range =
        block instanceof NumberRuns runs
            ? runs.range()
            : block instanceof NumberRange one ? one : null;
    return range == null ? null : "[%s,%s]".formatted(range.first(), range.last());
  }

  private static @Nullable Long runLength(StoredBlock part) {
    return part.block() instanceof NumberRuns runs ? runs.length() : null;
  }

  /**
   * Returns the blocks that are not among other blocks; of a list, the values that no other list
   * has. Lists grow, and a value in two lists would be handed out twice.
   */
  private static List<Block> missing(List<Block> blocks, List<Block> among) {
    List<Block> missing = new ArrayList<>();
    for (Block block : blocks) {
      if (block instanceof ValueList list) {
        List<String> values =
            list.values().stream()
                .filter(value -> among.stream().noneMatch(one -> one.positionOf(value).isPresent()))
                .toList();
        if (!values.isEmpty()) {
          missing.add(ValueList.of(list.name(), values));
        }
      } else if (!among.contains(block)) {
        missing.add(block);
      }
    }
    return missing;
  }

  /** The same blocks, with lists of one name joined: values added to a list are a part of it. */
  private static List<Block> joined(List<Block> blocks) {
    Map<Object, Block> joined = new LinkedHashMap<>();
    for (Block block : blocks) {
      Object key = block instanceof ValueList list ? list.name() : block;
      joined.merge(
          key,
          block,
          (one, other) ->
              one instanceof ValueList list && other instanceof ValueList more
                  ? ValueList.of(
                      list.name(),
                      Stream.concat(list.values().stream(), more.values().stream()).toList())
                  : one);
    }
    return List.copyOf(joined.values());
  }

  /** Those of some exclusions that have values of some blocks. */
  static List<Block> overlapping(List<Block> exclusions, List<Block> blocks) {
    return exclusions.stream().filter(one -> blocks.stream().anyMatch(one::overlaps)).toList();
  }

  /** Blocks as the database stores them. */
  static String[] texts(List<Block> blocks) {
    return blocks.stream().map(Block::toString).toArray(String[]::new);
  }

  /** Both lists, one after the other. */
  static List<Block> concat(List<Block> blocks, List<Block> more) {
    return Stream.concat(blocks.stream(), more.stream()).toList();
  }

  /** The settings of a pool as parameters of the statements that write them, after another one. */
  private static Bind[] settings(PoolSpec spec, Bind first) {
    return new Bind[] {
      first,
      bind("value_order", spec.order().name().toLowerCase(Locale.ROOT)),
      bind("per_client", spec.perClient()),
      bind("per_owner", spec.perOwner().orElse(null)),
      bind("sticky", spec.sticky()),
      bind("lease_millis", spec.lease().map(Duration::toMillis).orElse(null)),
      bind("quarantine_millis", spec.quarantine().toMillis()),
      bind("history_millis", spec.history().map(Duration::toMillis).orElse(null)),
      bind("ipv6_prefix", spec.ipv6().map(ipv6 -> ipv6.prefix().toString()).orElse(null)),
      bind("ipv6_source", spec.ipv6().map(PoolStore::ipv6Source).orElse(null)),
      bind("after_failover", spec.afterFailover().map(PoolSpec.AfterFailover::label).orElse(null)),
      bind("thresholds", spec.thresholds().toArray(Integer[]::new))
    };
  }

  private static String ipv6Source(Ipv6Embedding ipv6) {
    return ipv6.source().name().toLowerCase(Locale.ROOT);
  }

  /** The settings of a pool, to be completed with its blocks. */
  private interface Settings {
    PoolSpec withBlocks(PoolLayout layout);
  }

  private record Row(
      int id,
      Settings settings,
      Optional<PoolSpec.Source> source,
      Optional<Duration> longestLease,
      Optional<Instant> stoppedAt,
      boolean isMoving,
      PoolGate gate,
      Optional<Instant> askedAt) {}

  private static Row readPool(ResultSet row) throws SQLException {
    String name = row.getString("name");
    PoolSpec.Order order =
        PoolSpec.Order.valueOf(row.getString("value_order").toUpperCase(Locale.ROOT));
    int perClient = row.getInt("per_client");
    Optional<Integer> perOwner = Optional.ofNullable(row.getObject("per_owner", Integer.class));
    boolean sticky = row.getBoolean("sticky");
    Optional<Duration> lease = duration(row, "lease_millis");
    Duration quarantine = duration(row, "quarantine_millis").orElse(Duration.ZERO);
    Optional<Duration> history = duration(row, "history_millis");
    Optional<Ipv6Embedding> ipv6 = readIpv6(row);
    Optional<PoolSpec.AfterFailover> afterFailover =
        Optional.ofNullable(row.getString("after_failover")).map(PoolSpec.AfterFailover::parse);
    List<Integer> thresholds = List.of((Integer[]) row.getArray("thresholds").getArray());
    Optional<PoolSpec.Source> source = readSource(row);
    return new Row(
        row.getInt("pool_id"),
        layout ->
            new PoolSpec(
                name,
                declaredBlocks(layout),
                layout.blocks().stream().flatMap(StoredBlock::excluded).distinct().toList(),
                order,
                perClient,
                perOwner,
                sticky,
                lease,
                quarantine,
                history,
                ipv6,
                afterFailover,
                thresholds,
                Optional.empty(),
                source),
        source,
        duration(row, "longest_lease_millis"),
        ClaimRow.instant(row, "stopped_at"),
        row.getBoolean("moving"),
        readGate(row),
        ClaimRow.instant(row, "asked_at"));
  }

  private static Optional<PoolSpec.Source> readSource(ResultSet row) throws SQLException {
    String source = row.getString("source");
    return source == null
        ? Optional.empty()
        : Optional.of(new PoolSpec.Source(source, row.getLong("keep_free")));
  }

  private static PoolGate readGate(ResultSet row) throws SQLException {
    Array owners = row.getArray("gate_owners");
    if (owners == null) {
      return PoolGate.OPEN;
    }
    Integer claims = row.getObject("gate_rate_claims", Integer.class);
    Optional<Duration> per = duration(row, "gate_rate_millis");
    return new PoolGate(
        Set.copyOf(Arrays.asList((String[]) owners.getArray())),
        Optional.ofNullable(row.getObject("gate_share", Integer.class)),
        per.map(time -> new PoolGate.Rate(Objects.requireNonNull(claims), time)));
  }

  /** The blocks as they were declared, with their parts joined. */
  private static List<Block> declaredBlocks(PoolLayout layout) {
    return joined(
        layout.blocks().stream()
            .map(
                stored ->
                    stored.block() instanceof CidrBlock
                        ? CidrBlock.parse(stored.declared())
                        : stored.block())
            .toList());
  }

  private static Optional<Ipv6Embedding> readIpv6(ResultSet row) throws SQLException {
    String prefix = row.getString("ipv6_prefix");
    if (prefix == null) {
      return Optional.empty();
    }
    String source = row.getString("ipv6_source").toUpperCase(Locale.ROOT);
    return Optional.of(
        new Ipv6Embedding(CidrBlock.parse(prefix), Ipv6Embedding.Source.valueOf(source)));
  }

  private static Optional<Duration> duration(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getObject(column, Long.class)).map(Duration::ofMillis);
  }

  /** A block without its values if it is a list. */
  private record BlockRow(
      int id, String declared, @Nullable Block values, Function<Block, StoredBlock> withValues) {}

  private static BlockRow readBlock(ResultSet row) throws SQLException {
    int id = row.getInt("block_id");
    String declared = row.getString("declared");
    Exclusions exclusions = new Exclusions(readBlocks(row, "gaps"), readBlocks(row, "exclusions"));
    byte[] seed = row.getBytes("seed");
    boolean draining = row.getBoolean("draining");
    boolean removed = row.getBoolean("removed");
    return new BlockRow(
        id,
        declared,
        readValues(row),
        values -> new StoredBlock(id, declared, values, exclusions, seed, draining, removed));
  }

  private static List<Block> readBlocks(ResultSet row, String column) throws SQLException {
    return Arrays.stream((String[]) row.getArray(column).getArray()).map(Block::parse).toList();
  }

  private static @Nullable Block readValues(ResultSet row) throws SQLException {
    String addresses = row.getString("addresses");
    if (addresses != null) {
      CidrBlock block = CidrBlock.parse(addresses);
      Integer prefixLength = row.getObject("prefix_length", Integer.class);
      return prefixLength == null ? block : new CidrPrefixes(block, prefixLength);
    }
    Long first = row.getObject("first_number", Long.class);
    if (first == null) {
      return null;
    }
    NumberRange range = new NumberRange(first, row.getLong("last_number"));
    Long runLength = row.getObject("run_length", Long.class);
    return runLength == null ? range : new NumberRuns(range, runLength);
  }

  private static StoredBlock load(Statements statements, BlockRow row, Optional<PoolLayout> known)
      throws SQLException {
    Block values = row.values;
    if (values == null) {
      Optional<Block> before =
          known.flatMap(layout -> layout.block(row.id)).map(StoredBlock::block);
      values = before.isPresent() ? before.get() : loadList(statements, row);
    }
    return row.withValues.apply(values);
  }

  private static ValueList loadList(Statements statements, BlockRow row) throws SQLException {
    return statements
        .query(LOAD_LISTED, value -> value.getString("value"), bind("block_id", row.id))
        .stream()
        .collect(
            Collectors.collectingAndThen(
                Collectors.toList(), values -> ValueList.of(row.declared, values)));
  }
}
