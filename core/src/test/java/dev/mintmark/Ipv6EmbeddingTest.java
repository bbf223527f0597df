package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "+1", "4294967296", "host-7", "١"})
  void clientThatIsNoNumberOrDoesNotFitIsRefused(String client) {
    Ipv6Embedding embedding = new Ipv6Embedding(PREFIX, Ipv6Embedding.Source.CLIENT);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> embedding.addressFor(client, "any"))
        .withMessage("client \"" + client + "\": expected a number of at most 32 bits");
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
  }
}
