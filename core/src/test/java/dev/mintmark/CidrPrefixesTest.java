package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import java.util.List;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CidrPrefixesTest {
  @Test
  void eachPrefixIsAValue() {
    Block block = Block.parse("10.0.0.0/16 by /28");

    assertThat(block.size()).isEqualTo(4096);
    assertThat(block.valueAt(0)).isEqualTo("10.0.0.0/28");
    assertThat(block.valueAt(17)).isEqualTo("10.0.1.16/28");
    assertThat(block.valueAt(4095)).isEqualTo("10.0.255.240/28");
    assertThat(block).hasToString("10.0.0.0/16 by /28");
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> block.valueAt(4096));
  }

  @Test
  void prefixesOfIpv6MayHaveMoreAddressesThanALongCounts() {
    Block block = Block.parse("2001:db8::/32 by /56");

    assertThat(block.size()).isEqualTo(1 << 24);
    assertThat(block.valueAt(0x0102ff)).isEqualTo("2001:db8:102:ff00::/56");
    assertThat(block.positionOf("2001:DB8:0102:FF00::/56")).hasValue(0x0102ff);
    assertThat(Block.parse("::/0 by /62").size()).isEqualTo(1L << 62);
  }

  @Test
  void aBlockMayBeOnePrefixAndAPrefixOneAddress() {
    assertThat(values("10.0.0.0/28 by /28")).containsExactly("10.0.0.0/28");
    assertThat(values("10.0.0.0/31 by /32")).containsExactly("10.0.0.0/32", "10.0.0.1/32");
    assertThat(values("2001:db8::/127 by /128"))
        .containsExactly("2001:db8::/128", "2001:db8::1/128");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "10.0.0.0/27",
        "10.0.0.0/29",
        "10.0.0.0",
        "10.0.0.1/28",
        "10.1.0.0/28",
        "a00::/28",
        "5",
        "10.0.0.0/028",
        "10.0.0.0/",
        "/28",
        "",
        "x/28"
      })
  void whatIsNoPrefixOfTheBlockHasNoPosition(String value) {
    assertThat(Block.parse("10.0.0.0/16 by /28").positionOf(value)).isEmpty();
  }

  @Property
  void valueStandsAtItsPositionAndTextReadsBack(
      @ForAll boolean ipv4,
      @ForAll @LongRange(min = 0) long high,
      @ForAll @LongRange(min = 0) long low,
      @ForAll @IntRange(min = 0, max = 128) int prefixLength,
      @ForAll @IntRange(min = 0, max = 62) int more,
      @ForAll @LongRange(min = 0) long at) {
    int addressBits = ipv4 ? 32 : 128;
    int length = Math.min(prefixLength, addressBits);
    CidrBlock block =
        block(ipv4, BigInteger.valueOf(high).shiftLeft(64).or(BigInteger.valueOf(low)), length);
    CidrPrefixes prefixes = new CidrPrefixes(block, Math.min(length + more, addressBits));
    long position = at % prefixes.size();
    String value = prefixes.valueAt(position);

    assertThat(prefixes.positionOf(value)).hasValue(position);
    assertThat(Block.parse(prefixes.toString())).isEqualTo(prefixes);
    assertThat(CidrBlock.parse(value)).hasToString(value).matches(block::overlaps);
    assertThat(prefixes.positionsIn(CidrBlock.parse(value)))
        .isEqualTo(new Block.Positions(position, position + 1));
  }

  @Property
  void prefixesFollowOnOneAnotherAndFillTheBlock(
      @ForAll @IntRange(min = 20, max = 32) int prefixLength,
      @ForAll @IntRange(min = 0, max = 12) int more) {
    CidrPrefixes prefixes =
        new CidrPrefixes(
            CidrBlock.parse("10.16.0.0/" + prefixLength), Math.min(prefixLength + more, 32));

    List<CidrBlock> granted = values(prefixes.toString()).stream().map(CidrBlock::parse).toList();

    long addresses = 1L << (32 - prefixes.length());
    assertThat(granted)
        .extracting(CidrBlock::network)
        .containsExactlyElementsOf(
            LongStream.range(0, prefixes.size())
                .mapToObj(i -> prefixes.block().addressAt(BigInteger.valueOf(i * addresses)))
                .toList());
    assertThat(granted.size() * addresses).isEqualTo(1L << (32 - prefixLength));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "10.0.0.0/16 by 28",
        "10.0.0.0/16 by",
        "10.0.0.0/16 by ",
        "10.0.0.0/16 by /",
        " by /28",
        "10.0.0.0/16  by /28",
        "10.0.0.0/16 by /028",
        "10.0.0.0/16 by /28 by /29",
        "10.0.0.1/16 by /28",
        "1..10 by /28"
      })
  void malformedPrefixesAreRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Block.parse(text))
        .withMessageStartingWith("malformed ");
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/16 by /15, /16 to /32",
    "10.0.0.0/16 by /33, /16 to /32",
    "2001:db8::/32 by /95, /32 to /94",
    "2001:db8::/96 by /129, /96 to /128"
  })
  void lengthsOutOfRangeAreRefused(String text, String range) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Block.parse(text))
        .withMessage(text + ": expected prefixes of " + range);
  }

  @Test
  void prefixesOverlapByTheirAddresses() {
    Block prefixes = Block.parse("10.0.0.0/24 by /28");

    assertThat(prefixes.overlaps(Block.parse("10.0.0.77"))).isTrue();
    assertThat(Block.parse("10.0.0.77").overlaps(prefixes)).isTrue();
    assertThat(prefixes.overlaps(Block.parse("10.0.0.0/8 by /10"))).isTrue();
    assertThat(prefixes.overlaps(Block.parse("10.0.1.0/24"))).isFalse();
    assertThat(prefixes.overlaps(Block.parse("0..9"))).isFalse();
    assertThat(prefixes.overlaps(Block.parse("::/64"))).isFalse();
  }

  /** A prefix is excluded as soon as one of its addresses is. */
  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/24 by /28, 10.0.0.0/28, 0, 1",
    "10.0.0.0/24 by /28, 10.0.0.32/27, 2, 4",
    "10.0.0.0/24 by /28, 10.0.0.255, 15, 16",
    "10.0.0.0/24 by /28, 10.0.0.64/30, 4, 5",
    "10.0.0.0/24 by /28, 10.0.0.64/26 by /30, 4, 8",
    "10.0.0.0/24 by /28, 0.0.0.0/0, 0, 16",
    "10.0.0.0/24 by /28, 10.0.0.0/24, 0, 16",
    "10.0.0.0/24 by /28, 10.0.1.0/28, 0, 0",
    "10.0.0.0/24 by /28, 5, 0, 0",
    "10.0.0.0/24, 10.0.0.0/25 by /28, 0, 127",
    "2001:db8::/32 by /56, 2001:db8:1::/48, 256, 512",
    "2001:db8::/32 by /56, 2001:db8:1::7, 256, 257"
  })
  void positionsInAnotherBlockAreThoseThatTouchIt(
      String prefixes, String other, long from, long to) {
    assertThat(Block.parse(prefixes).positionsIn(Block.parse(other)))
        .isEqualTo(new Block.Positions(from, to));
  }

  private static List<String> values(String text) {
    Block block = Block.parse(text);
    return LongStream.range(0, block.size()).mapToObj(block::valueAt).toList();
  }

  /** The block of a length that has the address whose number has the given last bits. */
  private static CidrBlock block(boolean ipv4, BigInteger number, int length) {
    int addressBits = ipv4 ? 32 : 128;
    BigInteger all = BigInteger.ONE.shiftLeft(addressBits).subtract(BigInteger.ONE);
    int hostBits = addressBits - length;
    BigInteger network = number.and(all).shiftRight(hostBits).shiftLeft(hostBits);
    return CidrBlock.parse(
        CidrBlock.parse(ipv4 ? "0.0.0.0/0" : "::/0").addressAt(network) + "/" + length);
  }
}
