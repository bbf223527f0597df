package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Predicate;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The rows of the table that another table has as well say the same in both. */
class LayoutTest {
  private static final Set<String> SEQUENCES = Set.of("sequence", "increment");
  private static final Set<String> NO_NODES = Set.of("sign", "timestamp", "sequence", "increment");

  /** A layout to read with, and that to mint with. */
  private record Twins(Layout read, SnowflakeLayout minted) {}

  @Provide
  Arbitrary<Twins> snowflakes() {
    return Arbitraries.of(
        new Twins(NumberLayouts.SNOWFLAKE_TWITTER, SnowflakeLayout.TWITTER),
        new Twins(NumberLayouts.SNOWFLAKE_DISCORD, SnowflakeLayout.DISCORD),
        new Twins(NumberLayouts.SNOWFLAKE_INSTAGRAM, SnowflakeLayout.INSTAGRAM),
        new Twins(NumberLayouts.SNOWFLAKE_SONY, SnowflakeLayout.SONY));
  }

  @Property
  void snowflakeIsReadAsItIsMinted(@ForAll("snowflakes") Twins twins, @ForAll long random) {
    long bits = twins.minted.bits() < Long.SIZE ? random & Long.MAX_VALUE : random;
    Snowflake id = Snowflake.of(bits);
    BigInteger number = new BigInteger(id.toString());

    assertThat(twins.read.fits(number)).isTrue();
    assertThat(twins.read.time(number)).contains(id.time(twins.minted));
    assertThat(joined(twins.read, number, SEQUENCES::contains))
        .isEqualTo(id.sequence(twins.minted));
    assertThat(joined(twins.read, number, name -> !NO_NODES.contains(name)))
        .isEqualTo(id.node(twins.minted));
  }

  /** What {@link Tsid} and its like read is what {@link Inspector} reads. */
  @Property
  void otherTimedValueIsReadAsItIsMinted(@ForAll long high, @ForAll long low, @ForAll int rest) {
    byte[] bytes = ByteBuffer.allocate(20).putLong(high).putLong(low).putInt(rest).array();
    Tsid tsid = Tsid.of(high);
    Ksuid ksuid = Ksuid.fromBytes(bytes);
    ObjectId objectId = ObjectId.fromBytes(Arrays.copyOf(bytes, 12));
    Xid xid = Xid.fromBytes(Arrays.copyOf(bytes, 12));

    assertReads(
        SortableLayouts.TSID, Notation.NUMBER, Long.toUnsignedString(high), tsid.time(), bytes, 8);
    assertReads(SortableLayouts.KSUID, Notation.KSUID, ksuid.toString(), ksuid.time(), bytes, 20);
    assertReads(
        SortableLayouts.OBJECT_ID,
        Notation.OBJECT_ID,
        objectId.toString(),
        objectId.time(),
        bytes,
        12);
    Tsid.DIGITS
        .decode(tsid.toString())
        .ifPresentOrElse(
            number -> assertThat(number.longValue()).isEqualTo(high),
            () -> fail("not decoded: " + tsid));
    assertThat(Xid.DIGITS.decode(xid.toString())).contains(new BigInteger(1, bytes, 0, 12));
    assertThat(SortableLayouts.XID.time(new BigInteger(1, bytes, 0, 12))).contains(xid.time());
  }

  private static void assertReads(
      Layout layout, Notation notation, String text, Instant time, byte[] bytes, int length) {
    BigInteger number = new BigInteger(1, bytes, 0, length);

    assertThat(notation.decode(text)).contains(number);
    assertThat(layout.time(number)).contains(time);
    assertThat(layout.width()).isEqualTo(length * Byte.SIZE);
  }

  /** The fields of some names, one behind the other. */
  private static long joined(Layout layout, BigInteger number, Predicate<String> names) {
    return layout.values(number).stream()
        .filter(value -> names.test(value.slot().name()))
        .reduce(
            0L,
            (joined, value) -> joined << value.slot().width() | value.number().longValueExact(),
            (first, second) -> second);
  }
}
