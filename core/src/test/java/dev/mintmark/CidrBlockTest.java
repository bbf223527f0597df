package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.OptionalLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CidrBlockTest {
  @Test
  void firstAndLastAddressOfAnIpv4BlockAreNotHandedOut() {
    CidrBlock block = CidrBlock.parse("45.67.80.0/22");

    assertThat(block.size()).isEqualTo(1022);
    assertThat(block.valueAt(0)).isEqualTo("45.67.80.1");
    assertThat(block.valueAt(1021)).isEqualTo("45.67.83.254");
    assertThat(block.positionOf("45.67.80.0")).isEmpty();
    assertThat(block.positionOf("45.67.83.255")).isEmpty();
  }

  @Test
  void blocksOfOneAndTwoAddressesHandAllOfThemOut() {
    CidrBlock two = CidrBlock.parse("10.0.0.2/31");
    CidrBlock one = CidrBlock.parse("10.0.0.7/32");

    assertThat(two.size()).isEqualTo(2);
    assertThat(two.valueAt(0)).isEqualTo("10.0.0.2");
    assertThat(two.valueAt(1)).isEqualTo("10.0.0.3");
    assertThat(one.size()).isEqualTo(1);
    assertThat(one.valueAt(0)).isEqualTo("10.0.0.7");
    assertThat(CidrBlock.parse("10.0.0.7")).isEqualTo(one).hasSameHashCodeAs(one);
  }

  @Test
  void everyAddressOfAnIpv6BlockIsHandedOut() {
    CidrBlock block = CidrBlock.parse("2001:db8::/126");

    assertThat(block.size()).isEqualTo(4);
    assertThat(block.valueAt(0)).isEqualTo("2001:db8::");
    assertThat(block.valueAt(3)).isEqualTo("2001:db8::3");
  }

  @Test
  void sizeOfAHugeBlockIsTheGreatestThatCanBeCounted() {
    assertThat(CidrBlock.parse("2001:db8::/64").size()).isEqualTo(Long.MAX_VALUE);
    assertThat(CidrBlock.parse("::/0").size()).isEqualTo(Long.MAX_VALUE);
    assertThat(CidrBlock.parse("2001:db8::/66").size()).isEqualTo(1L << 62);
    assertThat(CidrBlock.parse("0.0.0.0/0").size()).isEqualTo((1L << 32) - 2);
    assertThat(CidrBlock.parse("::/0").positionOf("ffff::")).isEmpty();
  }

  /** The examples of RFC 5952 sections 4 and 2. */
  @ParameterizedTest
  @CsvSource({
    "2001:0db8::0001, 2001:db8::1",
    "2001:db8:0:0:0:0:2:1, 2001:db8::2:1",
    "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
    "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
    "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
    "2001:DB8::AbCd, 2001:db8::abcd",
    "0:0:0:0:0:0:0:0, ::",
    "1:0:0:0:0:0:0:0, 1::",
    "::1, ::1"
  })
  void ipv6IsWrittenAsRfc5952Has(String text, String canonical) {
    assertThat(CidrBlock.parse(text).network()).isEqualTo(canonical);
  }

  @Property
  void valueStandsAtItsPosition(
      @ForAll @IntRange(min = 0, max = 32) int prefixLength, @ForAll int bits, @ForAll long at) {
    int network = prefixLength == 0 ? 0 : bits & -1 << (32 - prefixLength);
    CidrBlock block = CidrBlock.parse(ipv4(network) + "/" + prefixLength);
    long position = Math.floorMod(at, block.size());

    assertThat(block.positionOf(block.valueAt(position))).hasValue(position);
    assertThat(CidrBlock.parse(block.toString())).isEqualTo(block);
  }

  @Property
  void ipv6ValueStandsAtItsPosition(
      @ForAll @IntRange(min = 32, max = 128) int prefixLength,
      @ForAll @LongRange(min = 0) long at) {
    CidrBlock block = CidrBlock.parse("2001:db8::/" + prefixLength);
    long position = at % block.size();

    assertThat(block.positionOf(block.valueAt(position))).hasValue(position);
  }

  @Test
  void positionOutsideTheBlockIsRefused() {
    CidrBlock block = CidrBlock.parse("10.0.0.0/30");

    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> block.valueAt(2));
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> block.valueAt(-1));
  }

  @Test
  void valueOutsideTheBlockHasNoPosition() {
    CidrBlock block = CidrBlock.parse("10.0.0.0/30");

    assertThat(block.positionOf("10.0.0.4")).isEqualTo(OptionalLong.empty());
    assertThat(block.positionOf("9.255.255.255")).isEmpty();
    assertThat(block.positionOf("::1")).isEmpty();
    assertThat(block.positionOf("localhost")).isEmpty();
    assertThat(block.positionOf("10.0.0.1/32")).isEmpty();
  }

  @Property
  void anyTextHasAPositionOrNone(@ForAll String text) {
    assertThat(CidrBlock.parse("10.0.0.0/8").positionOf(text)).isEmpty();
  }

  @Test
  void bitsOfTheHostAreRefusedWithTheBlockThatWasMeant() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CidrBlock.parse("45.67.81.7/22"))
        .withMessage(
            "malformed block \"45.67.81.7/22\": bits of the host are set; its block is"
                + " 45.67.80.0/22");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CidrBlock.parse("2001:db8::1/64"))
        .withMessageEndingWith("its block is 2001:db8::/64");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/8",
        "10.0.0.0/",
        "10.0.0.0/33",
        "10.0.0.0/08",
        "10.0.0.0/-1",
        "10.0.0.0/8/8",
        "10.0.0",
        "10.0.0.256",
        "010.0.0.1",
        "10.0.0.1.",
        "10.0.0.1\n",
        "1.2.3.4.5",
        "localhost",
        "::/129",
        ":::",
        "1::2::3",
        "12345::",
        "00001::",
        "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9",
        "fe80::1%eth0",
        "::ffff:102:304",
        "::ffff:1.2.3.4",
        "١.2.3.4"
      })
  void malformedBlockIsRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CidrBlock.parse(text))
        .withMessageStartingWith("malformed block \"");
  }

  @Test
  void blocksOverlapWhereOneHoldsTheOther() {
    CidrBlock block = CidrBlock.parse("10.0.0.0/8");

    assertThat(block.overlaps(CidrBlock.parse("10.255.0.0/16"))).isTrue();
    assertThat(CidrBlock.parse("10.255.0.0/16").overlaps(block)).isTrue();
    assertThat(block.overlaps(CidrBlock.parse("11.0.0.0/8"))).isFalse();
    assertThat(block.overlaps(CidrBlock.parse("a00::/8"))).isFalse();
    assertThat(block.overlaps(new NumberRange(0, 9))).isFalse();
  }

  @Test
  void positionsInAnotherBlockAreThoseHandedOut() {
    CidrBlock block = CidrBlock.parse("10.0.0.0/24");

    assertThat(block.positionsIn(CidrBlock.parse("10.0.0.0/30"))).isEqualTo(positions(0, 3));
    assertThat(block.positionsIn(CidrBlock.parse("10.0.0.252/30"))).isEqualTo(positions(251, 254));
    assertThat(block.positionsIn(CidrBlock.parse("10.0.0.7"))).isEqualTo(positions(6, 7));
    assertThat(block.positionsIn(CidrBlock.parse("0.0.0.0/0"))).isEqualTo(positions(0, 254));
    assertThat(block.positionsIn(CidrBlock.parse("10.0.0.0"))).isEqualTo(positions(0, 0));
    assertThat(block.positionsIn(CidrBlock.parse("11.0.0.0/8"))).isEqualTo(positions(0, 0));
    assertThat(block.positionsIn(NumberRange.parse("7"))).isEqualTo(positions(0, 0));
  }

  @Test
  void ipv6BlockIsSplitIntoPartsThatHaveAllItsAddresses() {
    CidrBlock block = CidrBlock.parse("2001:db8::/64");

    assertThat(block.split(66).stream().map(CidrBlock::toString))
        .containsExactly(
            "2001:db8::/66",
            "2001:db8:0:0:4000::/66",
            "2001:db8:0:0:8000::/66",
            "2001:db8:0:0:c000::/66");
    assertThat(block.split(64)).containsExactly(block);
    assertThat(block.split(80)).hasSize(65_536).doesNotHaveDuplicates().allMatch(block::overlaps);
    assertThat(CidrBlock.parse("::1/128").split(128)).hasSize(1);
  }

  @Test
  void splitOutOfRangeIsRefused() {
    CidrBlock block = CidrBlock.parse("2001:db8::/120");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> block.split(129))
        .withMessage(
            "block 2001:db8::/120 cannot be split into /129: expected a block of IPv6 and /120 to"
                + " /128");
    assertThatIllegalArgumentException().isThrownBy(() -> block.split(119));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CidrBlock.parse("2001:db8::/64").split(81));
    assertThatIllegalArgumentException().isThrownBy(() -> CidrBlock.parse("10.0.0.0/8").split(9));
  }

  private static Block.Positions positions(long from, long to) {
    return new Block.Positions(from, to);
  }

  private static String ipv4(int bits) {
    return "%d.%d.%d.%d"
        .formatted(bits >>> 24, (bits >>> 16) & 0xFF, (bits >>> 8) & 0xFF, bits & 0xFF);
  }
}
