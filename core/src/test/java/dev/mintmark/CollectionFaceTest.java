package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mintmark.CollectionSpec.Face;
import java.util.List;
import org.junit.jupiter.api.Test;

class CollectionFaceTest {
  @Test
  void maskIsThePrefixOfATypeId() {
    for (String mask : List.of("p", "pay", "pay_test", "p2", "p__2", "a".repeat(63))) {
      assertThat(new Face(mask, "payments").mask()).isEqualTo(mask);
    }
    for (String mask : List.of("", "Pay", "_pay", "pay_", "2p", "pay-test", "a".repeat(64), "é")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new Face(mask, "payments"))
          .withMessage(
              "malformed mask %s: expected 1 to 63 of a-z, 0-9 and '_', starting with a letter and"
                  + " not ending with '_'",
              Quoted.of(mask));
    }
  }

  @Test
  void keyLabelIsWrittenAsNamesAre() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Face("pay", "Payments"))
        .withMessageStartingWith("malformed key-label name \"Payments\": expected 1 to 63 of a-z");
  }

  @Test
  void textHasNoFace() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> collection(Kind.NANOID))
        .withMessage(
            "collection \"payments\": a face masks 64 or 128 bits: expected storage bigint or"
                + " uuid, found text");
    assertThat(collection(Kind.SEQUENCE).face()).isPresent();
    assertThat(collection(Kind.ULID).face()).isPresent();
  }

  private static CollectionSpec collection(Kind kind) {
    return CollectionSpec.builder("payments", kind).face(new Face("pay", "payments")).build();
  }
}
