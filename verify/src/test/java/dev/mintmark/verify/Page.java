package dev.mintmark.verify;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A page of the documentation.
 *
 * @param path its path in the checkout
 */
record Page(String path) {
  /** The fenced blocks of a language. */
  List<String> blocks(String language) {
    return Pattern.compile("^```" + language + "\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL)
        .matcher(text())
        .results()
        .map(block -> block.group(1))
        .toList();
  }

  String text() {
    try {
      return Files.readString(Checkout.root().resolve(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
