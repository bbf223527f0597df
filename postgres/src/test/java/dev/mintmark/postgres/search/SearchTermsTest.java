package dev.mintmark.postgres.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SearchTermsTest {
  @Test
  void whiteSpaceOfAnyAlphabetPartsTerms() {
    assertThat(SearchTerms.of(" a\tb\r\nc\u3000d\u00a0e "))
        .containsExactly("a", "b", "c", "d", "e");
  }

  @Test
  void whatIsPastedWithCharactersOfNoWidthAroundItIsFreeOfThem() {
    assertThat(SearchTerms.of("\ufeff01FZG9\u200b a\u200d\u200cb"))
        .containsExactly("01FZG9", "a\u200d\u200cb");
    assertThat(SearchTerms.of("\u200b\ufeff")).isEmpty();
  }

  @Test
  void quotesKeepAPhraseTogetherAsItStands() {
    assertThat(SearchTerms.of("acme \"new  york \" x")).containsExactly("acme", "new  york ", "x");
  }

  @Test
  void whatFollowsAClosingQuoteIsAnotherTerm() {
    assertThat(SearchTerms.of("\"a b\"c\"d\"")).containsExactly("a b", "c\"d\"");
  }

  @Test
  void aQuoteInsideAWordIsItself() {
    assertThat(SearchTerms.of("5\" d\"or")).containsExactly("5\"", "d\"or");
  }

  @Test
  void aQuoteThatNothingClosesGoesOnToTheEnd() {
    assertThat(SearchTerms.of("acme \"new yor")).containsExactly("acme", "new yor");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\t\u3000", "\"\"", "\" \"", "\"", "\"\" \"\u00a0\""})
  void whatHasNoCharactersIsNoTerm(String text) {
    assertThat(SearchTerms.of(text)).isEmpty();
  }

  @Test
  void limitsAreExact() {
    assertThat(SearchTerms.of("x".repeat(2048))).hasSize(1);
    assertThat(SearchTerms.of("x ".repeat(16))).hasSize(16);

    assertThatThrownBy(() -> SearchTerms.of("x".repeat(2049)))
        .isInstanceOf(MalformedSearchException.class)
        .hasMessageContaining("(2049 characters): expected at most 2048 characters");
    assertThatThrownBy(() -> SearchTerms.of("x ".repeat(17)))
        .isInstanceOf(MalformedSearchException.class)
        .hasMessageContaining("has 17 terms: expected at most 16");
  }

  @Test
  void whatNoColumnHoldsIsRefused() {
    assertThatThrownBy(() -> SearchTerms.of("ab\0c"))
        .isInstanceOf(MalformedSearchException.class)
        .hasMessage("search text \"ab\\u0000c\": character 2 is U+0000, which no column can hold");
    assertThatThrownBy(() -> SearchTerms.of("ab \ud83d c"))
        .isInstanceOf(MalformedSearchException.class)
        .hasMessageContaining("half of a surrogate pair");
  }
}
