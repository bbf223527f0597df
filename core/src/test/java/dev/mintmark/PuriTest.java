package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
    assertThat(puri).hasToString(vector.path("text").stringValue());
    assertThat(puri.canonical()).hasToString(vector.path("canonical").stringValue());
    assertThat(puri).isEqualTo(puri.canonical()).hasSameHashCodeAs(puri.canonical());
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

  @Property
  void equalityIsThatOfTheCanonicalText(@ForAll("similar") Puri a, @ForAll("similar") Puri b) {
    boolean sameText = a.canonical().toString().equals(b.canonical().toString());

    assertThat(a.equals(b)).isEqualTo(sameText).isEqualTo(b.equals(a));
    if (sameText) {
      assertThat(a).hasSameHashCodeAs(b);
    }
  }

  @Property
  void canonicalIsEqualAndStaysAsItIs(@ForAll("similar") Puri puri) {
    Puri canonical = puri.canonical();

    assertThat(canonical).isEqualTo(puri);
    assertThat(canonical.canonical()).isSameAs(canonical);
    assertThat(canonical.identifier()).isEqualTo(puri.identifier());
  }

  /** Few letters in both cases, so that many are equal, and letters with a case beyond ASCII. */
  @Provide
  Arbitrary<Puri> similar() {
    Arbitrary<String> segments =
        Arbitraries.strings().withChars("aAkK\u212a\u00e9\u00c9:%").ofMinLength(1).ofMaxLength(2);
    return Combinators.combine(segments, segments, segments).as(Puri::of);
  }

  @Test
  void snippetOfTheDocumentationHolds() {
    Puri puri = Puri.parse("SoundCloud:tracks:a%3ab");

    assertThat(puri.identifier()).isEqualTo("a:b");
    assertThat(puri).hasToString("SoundCloud:tracks:a%3Ab");
    assertThat(puri.canonical()).hasToString("soundcloud:tracks:a%3Ab");
    assertThat(puri).isEqualTo(Puri.of("soundcloud", "tracks", "a:b"));
  }

  @ParameterizedTest
  @MethodSource("dev.mintmark.Vectors#malformedPuris")
  void malformedVectorIsRefusedWithItsReason(JsonNode vector) {
    String text = vector.path("input").stringValue();

    assertThatExceptionOfType(MalformedIdException.class)
        .isThrownBy(() -> Puri.parse(text))
        .withMessageStartingWith("malformed pURI " + Quoted.of(text) + ": ")
        .withMessageContaining(vector.path("reason").stringValue());
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

  @Test
  void ownersAndTypesAreComparedWithoutLetterCase() {
    Puri one = Puri.parse("SoundCloud:tracks:1");

    assertThat(one.sameOwner(Puri.parse("soundcloud:users:2"))).isTrue();
    assertThat(one.sameOwner(Puri.parse("soundclouds:tracks:1"))).isFalse();
    assertThat(one.sameType(Puri.parse("soundcloud:TRACKS:2"))).isTrue();
    assertThat(one.sameType(Puri.parse("soundcloud:users:1"))).isFalse();
  }
}
