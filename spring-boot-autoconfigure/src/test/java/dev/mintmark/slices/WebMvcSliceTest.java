package dev.mintmark.slices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Masks;
import dev.mintmark.slices.SliceApplication.PaymentId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

/** {@code @WebMvcTest} of an application. */
@Tag("slow")
@WebMvcTest(properties = {SliceApplication.CATALOG, SliceApplication.SECRET})
class WebMvcSliceTest {
  @Test
  void requestsAndAnswersHaveFaces(@Autowired MockMvcTester mvc, @Autowired Masks masks) {
    String face = masks.find(PaymentId.class).orElseThrow().show(new PaymentId(1));

    assertThat(mvc.get().uri("/payments/" + face))
        .hasStatusOk()
        .bodyText()
        .isEqualTo("{\"id\":\"%s\"}".formatted(face));
    assertThat(mvc.get().uri("/payments/PM000001"))
        .hasStatus(HttpStatus.BAD_REQUEST)
        .bodyText()
        .contains("malformed-identifier");
  }
}
