package dev.mintmark.slices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Masks;
import dev.mintmark.slices.SliceApplication.PaymentId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webflux.test.autoconfigure.WebFluxTest;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;

/** {@code @WebFluxTest} of an application. */
@Tag("slow")
@WebFluxTest(properties = {SliceApplication.CATALOG, SliceApplication.SECRET})
class WebFluxSliceTest {
  @Test
  void requestsAndAnswersHaveFaces(@Autowired WebTestClient client, @Autowired Masks masks) {
    String face = masks.find(PaymentId.class).orElseThrow().show(new PaymentId(1));

    EntityExchangeResult<String> found = get(client, "/payments/" + face);
    EntityExchangeResult<String> malformed = get(client, "/payments/PM000001");

    assertThat(found.getResponseBody()).isEqualTo("{\"id\":\"%s\"}".formatted(face));
    assertThat(malformed.getStatus().value()).isEqualTo(400);
    assertThat(malformed.getResponseBody()).contains("malformed-identifier");
  }

  private static EntityExchangeResult<String> get(WebTestClient client, String path) {
    return client.get().uri(path).exchange().expectBody(String.class).returnResult();
  }
}
