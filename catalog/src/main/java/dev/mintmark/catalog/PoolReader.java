package dev.mintmark.catalog;

import dev.mintmark.Block;
import dev.mintmark.CidrBlock;
import dev.mintmark.DurationText;
import dev.mintmark.Ipv6Embedding;
import dev.mintmark.NumberRange;
import dev.mintmark.NumberRuns;
import dev.mintmark.PoolSpec;
import dev.mintmark.Quoted;
import dev.mintmark.ValueList;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/** Builds the model of the pools of a catalog. */
final class PoolReader {
  /** Keys that declare the values of a pool. A pool has exactly one of them. */
  private static final List<String> VALUES = List.of("blocks", "range", "list", "blocks-from");

  /** The most digits of {@code keep-free}. */
  private static final int KEEP_FREE_DIGITS_MAX = Long.toString(PoolSpec.KEEP_FREE_MAX).length();

  private static final List<Setting> SETTINGS =
      List.of(
          new Setting("exclude", (pool, value) -> pool.withExclude(blockList(value))),
          new Setting("order", (pool, value) -> pool.withOrder(order(value))),
          new Setting("per-client", (pool, value) -> pool.withPerClient(value.wholeNumber())),
          new Setting(
              "per-owner", (pool, value) -> pool.withPerOwner(Optional.of(value.wholeNumber()))),
          new Setting("sticky", (pool, value) -> pool.withSticky(value.truth())),
          new Setting("lease", (pool, value) -> pool.withLease(durationOrNone(value))),
          new Setting(
              "quarantine",
              (pool, value) -> pool.withQuarantine(value.parsed(DurationText::parse))),
          new Setting("history", (pool, value) -> pool.withHistory(durationOrNone(value))),
          new Setting("ipv6", (pool, value) -> pool.withIpv6(Optional.of(ipv6(value)))),
          new Setting(
              "after-failover",
              (pool, value) ->
                  pool.withAfterFailover(Optional.of(value.parsed(PoolSpec.AfterFailover::parse)))),
          new Setting(
              "thresholds",
              (pool, value) ->
                  pool.withThresholds(value.items().stream().map(YamlValue::wholeNumber).toList())),
          new Setting("database", (pool, value) -> pool.withDatabase(Optional.of(value.text()))));

  /** Keys of a pool. */
  static final List<String> KEYS =
      Stream.of(VALUES.stream(), Stream.of("keep-free"), SETTINGS.stream().map(Setting::key))
          .flatMap(keys -> keys)
          .toList();

  /** Keys of {@code ipv6}. */
  static final List<String> IPV6_KEYS = List.of("prefix", "embed");

  private final Path directory;
  private final List<String> databases;

  /**
   * @param directory the directory of the files of lists
   * @param databases the names of the databases of the catalog
   */
  PoolReader(Path directory, List<String> databases) {
    this.directory = directory;
    this.databases = databases;
  }

  /** Reads all pools. A source may be declared after the pools that get their blocks from it. */
  List<PoolSpec> read(YamlMapping pools) {
    List<YamlMapping.Named> named = pools.named("pool").toList();
    List<PoolSpec> specs = named.stream().map(this::read).toList();
    for (int i = 0; i < specs.size(); i++) {
      PoolSpec spec = specs.get(i);
      YamlValue value = named.get(i).value();
      Location line = value.child("blocks-from").orElse(value).location();
      PoolSpec unused = line.modelled(() -> spec.requireSourceIn(specs));
    }
    return specs;
  }

  private PoolSpec read(YamlMapping.Named named) {
    YamlMapping keys = named.value().mapping().allowing(KEYS);
    PoolSpec pool = values(named, keys);
    for (Setting setting : SETTINGS) {
      pool = setting.read(pool, keys);
    }
    return inDeclaredDatabase(pool, keys);
  }

  private PoolSpec inDeclaredDatabase(PoolSpec pool, YamlMapping keys) {
    return keys.value("database")
        .map(value -> value.location().modelled(() -> pool.requireIn(databases)))
        .orElse(pool);
  }

  /** Reads where the values of a pool come from. */
  private PoolSpec values(YamlMapping.Named named, YamlMapping keys) {
    Stream<String> given = VALUES.stream().filter(key -> keys.value(key).isPresent());
    if (given.count() != 1) {
      throw keys.wrong("expected one of \"blocks\", \"range\", \"list\" and \"blocks-from\"");
    }
    Location location = named.value().location();
    Optional<YamlValue> from = keys.value("blocks-from");
    if (from.isPresent()) {
      PoolSpec.Source source = source(from.get(), keys.required("keep-free"));
      return location.modelled(() -> PoolSpec.of(named.name(), source));
    }
    keys.value("keep-free")
        .ifPresent(
            value -> {
              throw value.wrong("only a pool with \"blocks-from\" has it: remove the key");
            });
    List<Block> blocks = blocks(keys);
    return location.modelled(() -> PoolSpec.of(named.name(), blocks));
  }

  private static PoolSpec.Source source(YamlValue from, YamlValue keepFree) {
    PoolSpec.Source source = from.location().modelled(() -> new PoolSpec.Source(from.text(), 0));
    long count = keepFree.wholeNumber(KEEP_FREE_DIGITS_MAX);
    return keepFree.location().modelled(() -> new PoolSpec.Source(source.pool(), count));
  }

  private List<Block> blocks(YamlMapping keys) {
    return keys.value("blocks")
        .map(PoolReader::blockList)
        .or(() -> keys.value("range").map(value -> List.of(value.parsed(PoolReader::range))))
        .orElseGet(() -> lists(keys.required("list")));
  }

  private static List<Block> blockList(YamlValue value) {
    return value.items().stream().map(item -> item.parsed(Block::parse)).toList();
  }

  private static Block range(String text) {
    return text.contains(" by ") ? NumberRuns.parse(text) : NumberRange.parse(text);
  }

  private List<Block> lists(YamlValue value) {
    return value.oneOrItems().stream().map(item -> item.<Block>parsedText(this::list)).toList();
  }

  private ValueList list(String file) {
    Path path;
    try {
      path = directory.resolve(file);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(
          "expected the name of a file, found " + Quoted.of(file), e);
    }
    return ValueList.read(path);
  }

  private static PoolSpec.Order order(YamlValue value) {
    return value.parsed(
        label ->
            switch (label) {
              case "random" -> PoolSpec.Order.RANDOM;
              case "ascending" -> PoolSpec.Order.ASCENDING;
              default ->
                  throw new IllegalArgumentException(
                      "expected random or ascending, found " + Quoted.of(label));
            });
  }

  private static Optional<Duration> durationOrNone(YamlValue value) {
    return value.parsed(
        text -> text.equals("none") ? Optional.empty() : Optional.of(DurationText.parse(text)));
  }

  private static Ipv6Embedding ipv6(YamlValue value) {
    YamlMapping keys = value.mapping().allowing(IPV6_KEYS);
    CidrBlock prefix = keys.required("prefix").parsed(CidrBlock::parse);
    Ipv6Embedding.Source source = keys.required("embed").parsed(PoolReader::embedded);
    return value.location().modelled(() -> new Ipv6Embedding(prefix, source));
  }

  private static Ipv6Embedding.Source embedded(String label) {
    return switch (label) {
      case "ipv4" -> Ipv6Embedding.Source.IPV4;
      case "client" -> Ipv6Embedding.Source.CLIENT;
      default ->
          throw new IllegalArgumentException("expected ipv4 or client, found " + Quoted.of(label));
    };
  }

  /** An optional key, and the function that applies its value to a pool. */
  private record Setting(String key, BiFunction<PoolSpec, YamlValue, PoolSpec> with) {
    PoolSpec read(PoolSpec pool, YamlMapping keys) {
      return keys.value(key)
          .map(value -> value.location().modelled(() -> with.apply(pool, value)))
          .orElse(pool);
    }
  }
}
