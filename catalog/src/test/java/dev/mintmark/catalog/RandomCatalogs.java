package dev.mintmark.catalog;

import dev.mintmark.Block;
import dev.mintmark.Catalog;
import dev.mintmark.CidrBlock;
import dev.mintmark.CollectionSpec;
import dev.mintmark.CollectionSpec.Face.Shape;
import dev.mintmark.FaceChange;
import dev.mintmark.FormatSpec;
import dev.mintmark.Ipv6Embedding;
import dev.mintmark.Kind;
import dev.mintmark.MintDeclaration;
import dev.mintmark.MintDeclaration.OldRows;
import dev.mintmark.NamespaceSpec;
import dev.mintmark.Order;
import dev.mintmark.PoolSpec;
import dev.mintmark.ReferenceSpec;
import dev.mintmark.ReferenceTypes;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Random catalogs with every kind of part, except files of lists. */
final class RandomCatalogs {
  /** Names that need quotes, or that some YAML readers do not read as text. */
  private static final List<String> SQL_NAMES =
      List.of(
          "meats",
          "Order Lines",
          "no",
          "Null",
          "7",
          "1e5",
          "0x7",
          "a: b",
          "#a",
          "- a",
          "\u00e9\"\\",
          "'",
          "{a}",
          "a, b",
          "~",
          "\ud83c\udf54",
          "\ufeffa",
          "\u2028a",
          "a#b",
          " a ");

  private static final List<List<String>> BLOCKS =
      List.of(
          List.of("0..1023"),
          List.of("7"),
          List.of("7", "9..12"),
          List.of("1..1000000000 by 1000000"),
          List.of("1..100 by 10", "101..200 by 20"),
          List.of("45.67.80.0/22", "203.0.112.0/22"),
          List.of("2001:db8::/64", "::/128"),
          List.of("10.0.0.0/16 by /28", "10.1.0.0/24 by /32"),
          List.of("2001:db8::/32 by /56"),
          List.of("2001:db8:1:2:3::/80"));

  private static final List<Duration> DURATIONS =
      List.of(
          Duration.ofSeconds(1),
          Duration.ofMinutes(90),
          Duration.ofDays(3650),
          Duration.ofNanos(1_000_000_001),
          Duration.ofMillis(1_500));

  private final Random random;
  private int named;

  RandomCatalogs(long seed) {
    this.random = new Random(seed);
  }

  Catalog next() {
    named = 0;
    boolean code = random.nextBoolean();
    NamespaceSpec own =
        new NamespaceSpec(
            name(), code ? Optional.of("own") : Optional.empty(), collections(code, true));
    List<NamespaceSpec> others =
        list(
            2,
            i ->
                new NamespaceSpec(
                    foreignName(),
                    Optional.of("other" + i).filter(c -> code),
                    collections(code, false)));
    List<String> databases = list(2, i -> name());
    List<PoolSpec> pools = list(3, i -> pool());
    if (random.nextBoolean()) {
      pools.addAll(random.nextInt(pools.size() + 1), poolAndItsSource());
    }
    return new Catalog(
        own,
        others,
        pools.stream().map(pool -> pool.withDatabase(oneOrNone(databases))).toList(),
        list(2, i -> reference(own, i)),
        list(2, i -> format()),
        databases);
  }

  private FormatSpec format() {
    return new FormatSpec(
        name(),
        switch (random.nextInt(3)) {
          case 0 -> new FormatSpec.Shape(one(List.of("SO-[0-9a-z]{12}", "\\.[\\]A-Z]{1,7}x?")));
          case 1 -> {
            var bits =
                FormatSpec.Bits.snowflake(
                    instant(), 1 + random.nextInt(15), 1 + random.nextInt(15));
            yield random.nextBoolean()
                ? bits
                : bits.withText(FormatSpec.DigitNotation.BASE62, "no", OptionalInt.of(12));
          }
          default -> formatOfFields();
        });
  }

  private FormatSpec.Bits formatOfFields() {
    List<FormatSpec.Field> fields =
        new ArrayList<>(
            List.of(
                FormatSpec.Field.fixed(70, "tag", BigInteger.ONE.shiftLeft(69)),
                FormatSpec.Field.of(
                    1 + random.nextInt(9), "on", one(List.of(FormatSpec.Type.values())))));
    Instant epoch = instant();
    Instant since = random.nextBoolean() ? epoch : epoch.plusSeconds(random.nextInt(9));
    boolean timed = random.nextBoolean();
    if (timed) {
      fields.add(FormatSpec.Field.time(41, "t", FormatSpec.Unit.parse(one(List.of("s", "10ms")))));
    }
    return new FormatSpec.Bits(
        fields,
        Optional.of(
                new FormatSpec.TimeRange(
                    epoch,
                    since,
                    Optional.of(since.plusSeconds(7)).filter(until -> random.nextBoolean())))
            .filter(time -> timed),
        one(List.of(FormatSpec.DigitNotation.HEX, FormatSpec.DigitNotation.BASE58)),
        random.nextBoolean() ? "" : "a:",
        OptionalInt.empty());
  }

  private Instant instant() {
    return Instant.ofEpochSecond(random.nextInt(), random.nextInt(2));
  }

  /** The validator of the schema ignores keys that begin with {@code #}, as some SQL names do. */
  private ReferenceSpec reference(NamespaceSpec own, int place) {
    List<String> coded =
        own.collections().stream()
            .filter(collection -> ReferenceTypes.codes(own, collection).isPresent())
            .map(CollectionSpec::name)
            .toList();
    return new ReferenceSpec(
        new CollectionSpec.Reference("t " + place, sqlName()),
        random.nextBoolean() ? List.of() : coded);
  }

  private List<CollectionSpec> collections(boolean code, boolean ours) {
    return list(3, i -> collection(code && random.nextBoolean() ? "c" + i : "", ours));
  }

  private FaceChange faceChange(boolean number) {
    Instant until = instant();
    String suffix = one(List.of("_str", "Id", "9"));
    return switch (random.nextInt(number ? 3 : 2)) {
      case 0 -> FaceChange.ofText(until, suffix);
      case 1 -> {
        Shape shape = number && random.nextBoolean() ? Shape.SHORT : Shape.LONG;
        var mask = new CollectionSpec.Face("m" + ++named, name(), shape);
        yield FaceChange.ofMask(mask, until, suffix);
      }
      default -> FaceChange.ofNumber(until, suffix);
    };
  }

  private CollectionSpec collection(String code, boolean ours) {
    Kind kind = one(List.of(Kind.values()));
    CollectionSpec.Builder spec = CollectionSpec.builder(ours ? name() : foreignName(), kind);
    spec.aliases(list(2, i -> ours ? name() : foreignName()));
    if (!code.isEmpty()) {
      spec.code(code);
    }
    if (kind == Kind.SEQUENCE && random.nextBoolean()) {
      spec.prefix(one(List.of("PM", "on", "a_b-", "N"))).width(random.nextInt(19));
    }
    if (kind == Kind.TYPEID && random.nextBoolean()) {
      spec.prefix(one(List.of("user", "null", "a_b")));
    }
    if (kind == Kind.TEXT) {
      spec.caseSensitive(random.nextBoolean());
    }
    boolean text = kind.storage() == Kind.Storage.TEXT;
    if (random.nextInt(3) == 0) {
      spec.storage(Kind.Storage.TEXT);
    } else if (kind == Kind.SEQUENCE && random.nextInt(3) == 0) {
      spec.narrow(true);
    } else if (!text && random.nextBoolean()) {
      Shape shape = one(Arrays.stream(Shape.values()).filter(each -> each.fits(kind)).toList());
      spec.face(new CollectionSpec.Face(shape == Shape.UUID ? "" : "m" + ++named, name(), shape));
      if (random.nextInt(3) == 0) {
        spec.faceChange(faceChange(kind.storage() == Kind.Storage.BIGINT));
      }
    }
    if (random.nextBoolean()) {
      spec.table(random.nextBoolean() ? sqlName() : sqlName() + "." + sqlName());
      spec.column(sqlName());
      if (random.nextBoolean()) {
        spec.created("made at");
      }
      spec.referencedBy(
          list(2, i -> new CollectionSpec.Reference(sqlName(), "refers " + i)).stream()
              .distinct()
              .toList());
      spec.findColumns(list(3, i -> "shown " + i));
    }
    return spec.mint(mint(kind, spec.build())).build();
  }

  private MintDeclaration mint(Kind kind, CollectionSpec spec) {
    MintDeclaration mint = MintDeclaration.NONE;
    boolean byServer = kind.has(Kind.Option.SERVER);
    if (kind.isMinted() && random.nextBoolean()) {
      mint =
          mint.withPlace(
              byServer && random.nextBoolean()
                  ? MintDeclaration.Place.SERVER
                  : MintDeclaration.Place.APPLICATION);
    }
    if (kind.has(Kind.Option.ORDER) && random.nextBoolean()) {
      mint = mint.withOrder(one(List.of(Order.ASCENDING, Order.RANDOM)));
    }
    if (spec.table().isPresent() && random.nextBoolean()) {
      List<OldRows> rows = new ArrayList<>(List.of(OldRows.NONE));
      if (byServer) {
        rows.add(OldRows.NOW);
      }
      if (byServer && spec.created().isPresent()) {
        rows.add(OldRows.CREATED);
      }
      mint = mint.withOldRows(one(rows));
    }
    return mint;
  }

  private PoolSpec pool() {
    List<Block> blocks = one(BLOCKS).stream().map(Block::parse).toList();
    boolean ipv4 = blocks.get(0) instanceof CidrBlock cidr && cidr.isIpv4();
    PoolSpec pool = PoolSpec.of(name(), blocks);
    if (random.nextBoolean()) {
      pool =
          pool.withOrder(one(List.of(PoolSpec.Order.values())))
              .withPerClient(1 + random.nextInt(1000))
              .withPerOwner(Optional.of(1 + random.nextInt(1_000_000)))
              .withSticky(random.nextBoolean())
              .withExclude(random.nextBoolean() ? blocks : List.of());
    }
    if (random.nextBoolean()) {
      pool =
          pool.withLease(one(DURATIONS))
              .withQuarantine(one(DURATIONS))
              .withHistory(Optional.of(one(DURATIONS)).filter(length -> random.nextBoolean()))
              .withThresholds(
                  random.ints(random.nextInt(4), 1, 101).boxed().distinct().sorted().toList());
    }
    if (ipv4 && random.nextBoolean()) {
      CidrBlock prefix = CidrBlock.parse("2001:db8:42::/96");
      pool = pool.withIpv6(Optional.of(new Ipv6Embedding(prefix, Ipv6Embedding.Source.IPV4)));
    }
    return pool;
  }

  /** Returns a pool that gets its blocks from the other one, in either order. */
  private List<PoolSpec> poolAndItsSource() {
    List<String> blocks =
        one(List.of(List.of("1..100 by 10", "201..220 by 20"), List.of("10.0.0.0/16 by /28")));
    PoolSpec source = PoolSpec.of(name(), blocks.stream().map(Block::parse).toList());
    long keepFree = one(List.of(0L, 7L, PoolSpec.KEEP_FREE_MAX));
    PoolSpec supplied =
        PoolSpec.of(name(), new PoolSpec.Source(source.name(), keepFree))
            .withOrder(one(List.of(PoolSpec.Order.values())))
            .withSticky(random.nextBoolean());
    if (random.nextBoolean()) {
      source = source.withLease(Duration.ofHours(1)).withQuarantine(Duration.ofMinutes(25));
      supplied = supplied.withLease(Duration.ofMinutes(20)).withQuarantine(Duration.ofMinutes(5));
    }
    return random.nextBoolean() ? List.of(supplied, source) : List.of(source, supplied);
  }

  /** Returns a name that no other call returns. */
  private String name() {
    return one(List.of("on", "null", "a-b-", "x")) + ++named;
  }

  private String foreignName() {
    return one(List.of("Acme.com", "~", "0x", "1e", "-", "_")) + ++named;
  }

  private String sqlName() {
    return one(SQL_NAMES);
  }

  private <T> List<T> list(int max, IntFunction<T> each) {
    return new ArrayList<>(IntStream.range(0, random.nextInt(max + 1)).mapToObj(each).toList());
  }

  private <T> Optional<T> oneOrNone(List<T> all) {
    return all.isEmpty() || random.nextBoolean() ? Optional.empty() : Optional.of(one(all));
  }

  private <T> T one(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }
}
