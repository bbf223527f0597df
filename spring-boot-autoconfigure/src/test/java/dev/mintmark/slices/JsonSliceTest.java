package dev.mintmark.slices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.slices.SliceApplication.PaymentId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.json.JsonTest;
import tools.jackson.databind.json.JsonMapper;

/** {@code @JsonTest} of an application. */
@Tag("slow")
@JsonTest(properties = SliceApplication.CATALOG)
class JsonSliceTest {
  @Test
  void theMapperWritesIdentifiers(@Autowired JsonMapper mapper) {
    assertThat(mapper.writeValueAsString(new PaymentId(1))).isEqualTo("\"PM000001\"");
  }
}
