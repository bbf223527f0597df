package dev.mintmark.app.view;

import dev.mintmark.IdScanner;

/**
 * A part of a text that is almost an identifier, as JSON.
 *
 * @param start the index of its first UTF-16 code unit in the text
 * @param end the index after its last
 * @param reason why it is none; characters are counted from {@code start}
 */
public record NearestMissJson(int start, int end, String text, String reason) {
  static NearestMissJson of(IdScanner.Miss miss) {
    return new NearestMissJson(miss.start(), miss.end(), miss.text(), miss.reason());
  }
}
