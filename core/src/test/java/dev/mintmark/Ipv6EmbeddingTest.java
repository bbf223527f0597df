package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.BigRange;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Ipv6EmbeddingTest {
  private static final CidrBlock PREFIX = CidrBlock.parse("2001:db8:42::/96");

  @Test
  void ipv4AddressStandsInTheLow32Bits() {
    Ipv6Embedding embedding = new Ipv6Embedding(PREFIX, Ipv6Embedding.Source.IPV4);

    assertThat(embedding.addressFor("anybody", "45.67.80.1")).isEqualTo("2001:db8:42::2d43:5001");
    assertThat(embedding.addressFor("anybody", "255.255.255.255"))
        .isEqualTo("2001:db8:42::ffff:ffff");
  }

  @Test
  void clientStandsBehindThePrefix() {
    Ipv6Embedding embedding = new Ipv6Embedding(PREFIX, Ipv6Embedding.Source.CLIENT);

    assertThat(embedding.addressFor("500000", "any")).isEqualTo("2001:db8:42::7:a120");
    assertThat(embedding.addressFor("4294967295", "any")).isEqualTo("2001:db8:42::ffff:ffff");
  }

  @Property
  void ipv4AddressIsReadBack(
      @ForAll @IntRange(min = 1, max = 96) int prefixLength,
      @ForAll @LongRange(min = 0, max = 0xFFFF_FFFFL) long bits) {
    Ipv6Embedding embedding = new Ipv6Embedding(prefix(prefixLength), Ipv6Embedding.Source.IPV4);
    String value = CidrBlock.parse("0.0.0.0/0").addressAt(BigInteger.valueOf(bits));

    String address = embedding.addressFor("anybody", value);

    assertThat(embedding.extract(address)).isEqualTo(value);
    assertThat(embedding.prefix().overlaps(CidrBlock.parse(address))).isTrue();
  }

  @Property
  void clientIsReadBack(
      @ForAll @IntRange(min = 1, max = 128) int prefixLength,
      @ForAll @BigRange(min = "0", max = "340282366920938463463374607431768211455")
          BigInteger any) {
    Ipv6Embedding embedding = new Ipv6Embedding(prefix(prefixLength), Ipv6Embedding.Source.CLIENT);
    String client = any.mod(BigInteger.TWO.pow(128 - prefixLength)).toString();

    String address = embedding.addressFor(client, "any");

    assertThat(embedding.extract(address)).isEqualTo(client);
    assertThat(embedding.prefix().overlaps(CidrBlock.parse(address))).isTrue();
  }

  @Property
  void addressIsComputedAgainFromWhatItEmbeds(
      @ForAll @LongRange(min = 0, max = 0xFFFF_FFFFL) long bits,
      @ForAll Ipv6Embedding.Source source) {
    Ipv6Embedding embedding = new Ipv6Embedding(PREFIX, source);
    String address = PREFIX.addressAt(BigInteger.valueOf(bits));

    String embedded = embedding.extract(address);

    assertThat(embedding.addressFor(embedded, embedded)).isEqualTo(address);
  }

  @Property
  void noTwoClientsShareAnAddress(
      @ForAll @StringLength(max = 5) @CharRange(from = '0', to = '9') String a,
      @ForAll @StringLength(max = 5) @CharRange(from = '0', to = '9') String b) {
    Ipv6Embedding embedding = new Ipv6Embedding(PREFIX, Ipv6Embedding.Source.CLIENT);
    Optional<String> addressOfA = tryAddressFor(embedding, a);

    assertThat(addressOfA.isPresent() && addressOfA.equals(tryAddressFor(embedding, b)))
        .isEqualTo(addressOfA.isPresent() && a.equals(b));
  }

  @Test
  void otherTextOfAnAddressIsReadAsTheSame() {
    Ipv6Embedding embedding = new Ipv6Embedding(PREFIX, Ipv6Embedding.Source.IPV4);

    assertThat(embedding.extract("2001:DB8:42:0:0:0:2D43:5001")).isEqualTo("45.67.80.1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "45.67.80.1",
        "2001:db8:43::1",
        "2001:db8:41:ffff:ffff:ffff:ffff:ffff",
        "2001:db8:42:0:1::",
        "2001:db8:42::1/128",
        "2001:db8:42::1%eth0",
        "::ffff:45.67.80.1"
      })
  void addressOutsideThePrefixIsRefused(String address) {
    Ipv6Embedding embedding = new Ipv6Embedding(PREFIX, Ipv6Embedding.Source.CLIENT);

    assertThat(embedding.tryExtract(address)).isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> embedding.extract(address))
        .withMessage("address \"" + address + "\": expected one in 2001:db8:42::/96");
  }

  @Test
  void bitsBetweenThePrefixAndAnIpv4AddressMustBeZero() {
    Ipv6Embedding embedding =
        new Ipv6Embedding(CidrBlock.parse("2001:db8:42::/64"), Ipv6Embedding.Source.IPV4);

    assertThat(embedding.extract("2001:db8:42::ffff:ffff")).isEqualTo("255.255.255.255");
    assertThat(embedding.tryExtract("2001:db8:42::1:0:0")).isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> embedding.extract("2001:db8:42::8000:0:0:0"))
        .withMessage(
            "address \"2001:db8:42::8000:0:0:0\": expected one in 2001:db8:42::/64 that ends in the"
                + " 32 bits of an IPv4 address after zeros");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "7", "10.0.0.0/8", "10.0.0.1/32", "2001:db8::1", "010.0.0.1"})
  void valueThatIsNoIpv4AddressIsRefused(String value) {
    Ipv6Embedding embedding = new Ipv6Embedding(PREFIX, Ipv6Embedding.Source.IPV4);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> embedding.addressFor("anybody", value))
        .withMessage("value \"" + value + "\": expected an IPv4 address");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "+1", "4294967296", "007", "00", "host-7", "١", "7\n"})
  void clientThatIsNoNumberOrDoesNotFitIsRefused(String client) {
    Ipv6Embedding embedding = new Ipv6Embedding(PREFIX, Ipv6Embedding.Source.CLIENT);

    String message =
        "client %s: expected a whole number of at most 32 bits, without leading zeros"
            .formatted(Quoted.of(client));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> embedding.addressFor(client, "any"))
        .withMessage(message);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> embedding.checkClient(client))
        .withMessage(message);
    new Ipv6Embedding(PREFIX, Ipv6Embedding.Source.IPV4).checkClient(client);
  }

  @Test
  void prefixMustBeOfIpv6AndLeaveRoom() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new Ipv6Embedding(CidrBlock.parse("10.0.0.0/8"), Ipv6Embedding.Source.CLIENT))
        .withMessage("ipv6 prefix 10.0.0.0/8: expected an IPv6 block");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new Ipv6Embedding(CidrBlock.parse("2001:db8::/97"), Ipv6Embedding.Source.IPV4))
        .withMessage(
            "ipv6 prefix 2001:db8::/97: expected at most /96, an IPv4 address takes 32 bits");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Ipv6Embedding(CidrBlock.parse("::/0"), Ipv6Embedding.Source.CLIENT))
        .withMessage("ipv6 prefix ::/0: it has addresses of ::ffff:0:0/96, which are IPv4");
  }

  private static Optional<String> tryAddressFor(Ipv6Embedding embedding, String client) {
    try {
      return Optional.of(embedding.addressFor(client, "any"));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** A prefix of ones, which is far from the addresses that stand for IPv4. */
  private static CidrBlock prefix(int length) {
    BigInteger ones = BigInteger.TWO.pow(128).subtract(BigInteger.TWO.pow(128 - length));
    return CidrBlock.parse(CidrBlock.parse("::/0").addressAt(ones) + "/" + length);
  }
}
