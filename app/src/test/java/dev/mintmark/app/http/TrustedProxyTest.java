package dev.mintmark.app.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose headers are believed. */
class TrustedProxyTest {
  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, 10.255.255.255, true",
    "10.0.0.0/8, 11.0.0.0, false",
    "10.1.2.3/32, 10.1.2.3, true",
    "10.1.2.3/32, 10.1.2.2, false",
    "0.0.0.0/0, 203.0.113.9, true",
    "0.0.0.0/0, 2001:db8::1, false",
    "2001:db8::/33, 2001:db8:7fff::1, true",
    "2001:db8::/33, 2001:db8:8000::1, false",
  })
  void aBlockContainsItsAddresses(String cidr, String address, boolean contains) {
    assertThat(TrustedProxy.parse(cidr).contains(address)).isEqualTo(contains);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "10.0.0.0",
        "10.0.0.0/33",
        "10.0.0.1/8",
        "localhost/8",
        "10.0/16",
        "::/129",
        "a/8",
        "10.0.0.0/-1"
      })
  void malformedBlocksAreRejected(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TrustedProxy.parse(text))
        .withMessage(
            "\"%s\" is not a CIDR block: expected one as 10.0.0.0/8 or 2001:db8::/32"
                .formatted(text));
  }

  /** What a client writes stands on the left, and is not believed. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "10.0.0.1; 203.0.113.9; 203.0.113.9",
        "10.0.0.1; 1.1.1.1, 203.0.113.9; 203.0.113.9",
        "10.0.0.1; 1.1.1.1, 203.0.113.9, 10.0.0.2; 203.0.113.9",
        "203.0.113.7; 1.1.1.1; 203.0.113.7",
        "10.0.0.1; nonsense; 10.0.0.1",
        "10.0.0.1; '203.0.113.9, evil.example'; 10.0.0.1",
        "10.0.0.1; ''; 10.0.0.1",
        "10.0.0.1; 999.1.1.1; 10.0.0.1",
        "10.0.0.1; [2001:db8::1]; 2001:db8:0:0:0:0:0:1",
      })
  void theClientIsTheOneThatTheLastTrustedProxySaw(String peer, String header, String client) {
    assertThat(TrustedProxy.parse("10.0.0.0/8").client(peer, List.of(header))).isEqualTo(client);
  }

  @Test
  void anotherInterfaceRequiresTlsOrAProxy() throws Exception {
    InetAddress elsewhere = InetAddress.getByName("192.0.2.1");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Listening(elsewhere, 0, Optional.empty(), Optional.empty()))
        .withMessageStartingWith("--listen 192.0.2.1: keys would cross the network in plain text");
    Optional<TrustedProxy> proxy = Optional.of(TrustedProxy.parse("10.0.0.0/8"));
    assertThat(new Listening(elsewhere, 0, Optional.empty(), proxy).requiresAccounts()).isTrue();
    assertThat(Listening.onLoopback(0).requiresAccounts()).isFalse();
    assertThat(
            new Listening(InetAddress.getLoopbackAddress(), 0, Optional.empty(), proxy)
                .requiresAccounts())
        .isTrue();
  }
}
