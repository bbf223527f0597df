package dev.mintmark.app.cli.common;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Quoted;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PrintableTextTest {
  @Test
  void whatQuotedEscapesIsReplaced() {
    assertThat(
            IntStream.rangeClosed(0, 0x1FFFF)
                .filter(c -> c != '"' && c != '\\')
                .mapToObj(Character::toString)
                .filter(text -> !PrintableText.of(text).equals(isPlain(text) ? text : "?")))
        .isEmpty();
  }

  private static boolean isPlain(String character) {
    return Quoted.of(character).equals("\"" + character + "\"");
  }

  @Test
  void theRestOfATextStays() {
    assertThat(PrintableText.of("caf\u00e9 \"\ud83d\ude00\"\u0085\u009b31m\u2028\ud83d"))
        .isEqualTo("caf\u00e9 \"\ud83d\ude00\"??31m??");
  }
}
