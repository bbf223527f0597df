package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class PuriTest {
  @ParameterizedTest
  @MethodSource("dev.mintmark.Vectors#puris")
  void vectorIsReadAsItSays(JsonNode vector) {
    Puri puri = Puri.parse(vector.path("input").stringValue());

    assertThat(puri.namespace()).isEqualTo(vector.path("namespace").stringValue());
    assertThat(puri.collection()).isEqualTo(vector.path("collection").stringValue());
    assertThat(puri.identifier()).isEqualTo(vector.path("identifier").stringValue());
    assertThat(puri).hasToString(vector.path("canonical").stringValue());
  }

  @Property
  void textReadsBack(
      @ForAll @StringLength(min = 1, max = 30) String namespace,
      @ForAll @StringLength(min = 1, max = 30) String collection,
      @ForAll @StringLength(min = 1, max = 30) String identifier) {
    boolean unicode = isUnicode(namespace) && isUnicode(collection) && isUnicode(identifier);
    if (unicode) {
      Puri puri = Puri.of(namespace, collection, identifier);

      Puri readBack = Puri.parse(puri.toString());

      assertThat(readBack).isEqualTo(puri).hasSameHashCodeAs(puri);
      assertThat(readBack.identifier()).isEqualTo(identifier);
      assertThat(puri.toString()).matches("[A-Za-z0-9._~%-]+:[A-Za-z0-9._~%-]+:[A-Za-z0-9._~%-]+");
    }
  }

  @Property
  void anyTextIsReadOrRefused(@ForAll String text) {
    Puri.tryParse(text).ifPresent(puri -> assertThat(Puri.parse(puri.toString())).isEqualTo(puri));
  }

  @ParameterizedTest
  @CsvSource({
    "a:b, it has 2 segments: expected namespace:collection:identifier",
    "a:b:c:d, it has 4 segments: expected namespace:collection:identifier",
    "a::c, the segment at character 2 is empty",
    "a:b:, the segment at character 4 is empty",
    "a:b:c d, 'character 5, '' '', must be percent-encoded'",
    "a:b:%4, 'character 4, ''%'', begins no escape such as %3A'",
    "a:b%4:c, 'character 3, ''%'', begins no escape such as %3A'",
    "a:b:%+1, 'character 4, ''%'', begins no escape such as %3A'",
    "a:b:%C3, the escapes in the segment at character 4 are not UTF-8",
    "a:b:%ED%A0%80, the escapes in the segment at character 4 are not UTF-8"
  })
  void malformedPuriIsRefusedWithItsReason(String text, String reason) {
    assertThatExceptionOfType(MalformedIdException.class)
        .isThrownBy(() -> Puri.parse(text))
        .withMessage("malformed pURI \"%s\": %s", text, reason);
    assertThat(Puri.tryParse(text)).isEmpty();
  }

  @Test
  void limitIsThatOfTheCanonicalText() {
    String longest = "c".repeat(Puri.LENGTH_MAX - "a:b:".length());

    assertThat(Puri.of("a", "b", longest).toString()).hasSize(Puri.LENGTH_MAX);
    assertThat(Puri.tryParse("a:b:" + longest)).isPresent();
    assertThatExceptionOfType(MalformedIdException.class)
        .isThrownBy(() -> Puri.of("a", "b", longest + "c"))
        .withMessageEndingWith("it has 1025 characters: expected at most 1024");
    assertThat(Puri.tryParse("a:b:" + "c".repeat(10_000_000))).isEmpty();
  }

  @Test
  void emptySegmentAndLoneSurrogateAreRefused() {
    assertThatExceptionOfType(MalformedIdException.class)
        .isThrownBy(() -> Puri.of("a", "", "c"))
        .withMessage("malformed pURI: its collection is empty");
    assertThatExceptionOfType(MalformedIdException.class)
        .isThrownBy(() -> Puri.of("a", "b", "\ud800"))
        .withMessage("malformed pURI: its identifier \"\\ud800\" is not Unicode");
  }

  private static boolean isUnicode(String text) {
    return text.codePoints().noneMatch(c -> Character.getType(c) == Character.SURROGATE);
  }
}
