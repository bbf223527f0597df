package dev.mintmark.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestPathTest {
  @ParameterizedTest
  @CsvSource({
    "/v1/pools/p, /v1/pools/p",
    "/%761/%70ools/a%20b, /v1/pools/a b",
    "/v1;x=1/pools;y/p;z=/watch;, /v1/pools/p/watch",
    "/v1%2Fpools, /v1%2Fpools",
    "/v1/pools/p/claims/x%2fwatch, /v1/pools/p/claims/x%2Fwatch",
    "//v1/pools, //v1/pools",
    "/%2576%31, /%761",
    "/%zz, ''",
    "/%7, ''",
  })
  void segmentsAreDecodedAndHaveNoParameters(String raw, String path) {
    assertThat(RequestPath.of(raw)).isEqualTo(path);
  }
}
