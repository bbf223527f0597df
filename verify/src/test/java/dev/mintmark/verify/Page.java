package dev.mintmark.verify;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A page of the documentation.
 *
 * @param path its path in the checkout
 */
record Page(String path) {
  /** The README and the pages of docs. */
  static List<Page> all() {
    try (Stream<Path> docs = Files.list(Checkout.root().resolve("docs"))) {
      return Stream.concat(
              Stream.of("README.md"),
              docs.map(file -> "docs/" + file.getFileName())
                  .filter(page -> page.endsWith(".md"))
                  .sorted())
          .map(Page::new)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

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
