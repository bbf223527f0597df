package dev.mintmark.app.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpLiteralTest {
  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, 127.0.0.1",
    "255.250.199.0, 255.250.199.0",
    "::1, 0:0:0:0:0:0:0:1",
    "[2001:DB8::1], 2001:db8:0:0:0:0:0:1",
    "::ffff:10.0.0.1, 10.0.0.1",
  })
  void readsAddressesInDigits(String text, String address) {
    assertThat(IpLiteral.tryParse(text).map(InetAddress::getHostAddress)).contains(address);
  }

  /** The resolver of the JDK would be asked for most of them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "localhost",
        "999.1.1.1",
        "256.0.0.1",
        "1.2.3",
        "1",
        "127.1",
        "010.0.0.1",
        "1.2.3.4.",
        ".::1",
        "g::1",
        ":::",
        "1:2",
        "[::1",
        "::1%lo",
        "fe80::1%1",
      })
  void nothingElseIsAnAddress(String text) {
    assertThat(IpLiteral.tryParse(text)).isEmpty();
  }
}
