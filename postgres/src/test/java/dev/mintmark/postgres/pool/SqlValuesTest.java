package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Block;
import dev.mintmark.CidrBlock;
import dev.mintmark.CidrPrefixes;
import dev.mintmark.NumberRange;
import dev.mintmark.NumberRuns;
import dev.mintmark.PoolSpec;
import dev.mintmark.ValueList;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.postgres.pool.PoolLayout.Place;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The functions of SQL between values and places give the same answers as the layout in Java. */
@Tag("slow")
class SqlValuesTest {
  private static final int BLOCKS = 8;
  private static final int PLACES = 12;

  private final TestDatabase database = TestDatabase.create();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void randomBlocksWithGapsHaveTheSameValuesInBothDirections(long seed) {
    Random random = new Random(seed);
    try (Pools pools = Pools.over(database.dataSource())) {
      for (int i = 0; i < BLOCKS; i++) {
        Block block = block(random);
        String name = "p" + i;
        pools.create(PoolSpec.of(name, List.of(block)));
        plantGaps(name, block, gaps(random, block));
      }
      for (int i = 0; i < BLOCKS; i++) {
        Pool pool = pools.open("p" + i);
        pool.context().reload();
        List<Place> places = places(random, pool.context().layout());
        String as = "seed %d, %s without %s".formatted(seed, pool.spec(), pool.spec().exclude());

        assertThat(valuesInSql(places))
            .as(as)
            .isEqualTo(places.stream().map(pool.context()::valueAt).toList());
        List<String> texts = List.copyOf(texts(random, pool, places));
        assertThat(placesInSql(pool, texts))
            .as(as + ", places of " + texts)
            .isEqualTo(texts.stream().map(pool.context().layout()::placeOf).toList());
      }
    }
  }

  @Test
  void aListHasTheSameValues() {
    try (Pools pools = Pools.over(database.dataSource())) {
      pools.create(PoolSpec.of("p", List.of(ValueList.of("codes", List.of("X", "Y", "1.2.3.4")))));
      Pool pool = pools.open("p");
      int block = pool.context().layout().blocks().get(0).id();

      assertThat(valuesInSql(List.of(new Place(block, 0), new Place(block, 2))))
          .containsExactly("X", "1.2.3.4");
      assertThat(placesInSql(pool, List.of("1.2.3.4", "Z")))
          .containsExactly(Optional.of(new Place(block, 2)), Optional.empty());
    }
  }

  private static Block block(Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> cidr(random, 4, 8 + random.nextInt(25));
      case 1 -> cidr(random, 16, 66 + random.nextInt(63));
      case 2 -> CidrBlock.parse("::/" + (97 + random.nextInt(20)));
      case 3 -> range(random);
      case 4 -> prefixes(random, cidr(random, 4, 4 + random.nextInt(29)), 32);
      case 5 -> prefixes(random, cidr(random, 16, 16 + random.nextInt(113)), 128);
      case 6 -> prefixes(random, CidrBlock.parse("::/" + (97 + random.nextInt(20))), 128);
      default -> {
        NumberRange range = range(random);
        long length = 2L + random.nextInt((int) Math.min(range.size() - 1, 1_000_000));
        yield new NumberRuns(range, length);
      }
    };
  }

  private static CidrPrefixes prefixes(Random random, CidrBlock block, int lengthMax) {
    int more = Math.min(lengthMax - block.prefixLength(), 62);
    return new CidrPrefixes(block, block.prefixLength() + random.nextInt(more + 1));
  }

  private static NumberRange range(Random random) {
    long first = random.nextLong(NumberRange.NUMBER_MAX >>> random.nextInt(58));
    return new NumberRange(first, first + 2L + random.nextInt(1 << (1 + random.nextInt(24))));
  }

  private static CidrBlock cidr(Random random, int bytes, int length) {
    byte[] address = new byte[bytes];
    random.nextBytes(address);
    if (bytes == 16) {
      address[0] = 0x20;
      for (int i = 2; i < 10; i++) {
        address[i] = random.nextBoolean() ? 0 : address[i];
      }
    }
    int hostBits = bytes * 8 - length;
    BigInteger network = new BigInteger(1, address).shiftRight(hostBits).shiftLeft(hostBits);
    byte[] magnitude = network.toByteArray();
    byte[] whole = new byte[bytes];
    int copied = Math.min(bytes, magnitude.length);
    System.arraycopy(magnitude, magnitude.length - copied, whole, bytes - copied, copied);
    try {
      return CidrBlock.parse(InetAddress.getByAddress(whole).getHostAddress() + "/" + length);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Parts of a block, some of which overlap or reach over its ends. */
  private static List<Block> gaps(Random random, Block block) {
    if (block instanceof CidrPrefixes) {
      return List.of();
    }
    return IntStream.range(0, random.nextInt(5))
        .mapToObj(i -> gap(random, block))
        .filter(gap -> gap.overlaps(block))
        .toList();
  }

  private static Block gap(Random random, Block block) {
    String value = block.valueAt(random.nextLong(block.size()));
    if (block instanceof CidrBlock cidr) {
      CidrBlock one = CidrBlock.parse(value);
      int length = Math.max(cidr.prefixLength() + 1, one.prefixLength() - random.nextInt(12));
      return parent(one, Math.min(length, one.prefixLength()));
    }
    long first = NumberRange.parse(value).first();
    return new NumberRange(
        Math.max(first - random.nextInt(1_000), 0), first + random.nextInt(100_000));
  }

  private static CidrBlock parent(CidrBlock one, int length) {
    try {
      return CidrBlock.parse(one.network() + "/" + length);
    } catch (IllegalArgumentException e) {
      // The message ends with the block of the address.
      String message = String.valueOf(e.getMessage());
      return CidrBlock.parse(message.substring(message.lastIndexOf(' ') + 1));
    }
  }

  /** As a version that could not change exclusions has left them. */
  private void plantGaps(String pool, Block block, List<Block> gaps) {
    long size = block.size() - Gaps.of(gaps.stream().map(block::positionsIn)).size();
    database.execute(
        """
        delete from mintmark.pool_free where pool_id = (select pool_id from mintmark.pool where name = '%s');
        update mintmark.pool_block set gaps = '{%s}', issued = 0, drawn = 0, size = %d
        where pool_id = (select pool_id from mintmark.pool where name = '%1$s')
        """
            .formatted(
                pool,
                gaps.stream().map(gap -> "\"" + gap + "\"").collect(Collectors.joining(",")),
                size));
  }

  private static List<Place> places(Random random, PoolLayout layout) {
    List<Place> places = new ArrayList<>();
    for (StoredBlock block : layout.blocks()) {
      if (block.size() > 0) {
        places.add(new Place(block.id(), 0));
        places.add(new Place(block.id(), block.size() - 1));
        for (int i = 0; i < PLACES; i++) {
          places.add(new Place(block.id(), random.nextLong(block.size())));
        }
      }
    }
    return places;
  }

  /** Values of the pool, their neighbours, gaps, and texts that are none. */
  private static Set<String> texts(Random random, Pool pool, List<Place> places) {
    Set<String> texts =
        new LinkedHashSet<>(List.of("", "x", "1..2", "01.2.3.4", ":::", "7", "5..4"));
    places.stream().limit(5).map(pool.context()::valueAt).forEach(texts::add);
    Block block = pool.context().layout().blocks().get(0).block();
    Stream.generate(() -> block.valueAt(random.nextLong(block.size())))
        .limit(5)
        .forEach(texts::add);
    pool.context().layout().blocks().get(0).exclusions().fixed().stream()
        .flatMap(gap -> Stream.of(gap.valueAt(0), gap.valueAt(gap.size() - 1)))
        .forEach(texts::add);
    if (block instanceof CidrBlock cidr) {
      texts.add(cidr.network());
      texts.add(block.valueAt(0).toUpperCase(Locale.ROOT));
    }
    if (block instanceof CidrPrefixes prefixes) {
      String value = block.valueAt(random.nextLong(block.size()));
      String address = value.substring(0, value.indexOf('/'));
      texts.addAll(
          List.of(
              value.toUpperCase(Locale.ROOT),
              value + "0",
              address,
              address + "/0" + prefixes.length(),
              address + "/" + (prefixes.length() + 1),
              address + "/" + (prefixes.length() - 1),
              prefixes.block().toString(),
              "255.255.255.255/" + prefixes.length(),
              "ffff::/" + prefixes.length()));
    }
    return texts;
  }

  private List<String> valuesInSql(List<Place> places) {
    if (places.isEmpty()) {
      return List.of();
    }
    String rows =
        IntStream.range(0, places.size())
            .mapToObj(
                i -> "(%d, %d, %d)".formatted(i, places.get(i).block(), places.get(i).place()))
            .collect(Collectors.joining(", "));
    return database
        .rows(
            "select mintmark.pool_value_at(block, place) from (values %s) as v (i, block, place) order by i"
                .formatted(rows))
        .stream()
        .map(row -> row.get(0))
        .toList();
  }

  private List<Optional<Place>> placesInSql(Pool pool, List<String> values) {
    String texts =
        values.stream().map(value -> "\"" + value + "\"").collect(Collectors.joining(","));
    return database
        .rows(
            """
            select place.block_id, place.place
            from unnest('{%s}'::text[]) with ordinality as asked (value, i)
            left join lateral mintmark.pool_place(%d, asked.value) as place on true
            order by i
            """
                .formatted(texts, pool.id()))
        .stream()
        .map(
            row ->
                row.get(0).equals("null")
                    ? Optional.<Place>empty()
                    : Optional.of(
                        new Place(Integer.parseInt(row.get(0)), Long.parseLong(row.get(1)))))
        .toList();
  }
}
