package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Numbers in SQL, patterns and messages have the digits 0 to 9. The conversion {@code %d} writes
 * those of the default locale, such as Persian ones; {@code %s} does not.
 */
class DigitsTest {
  private static final Pattern OF_THE_LOCALE = Pattern.compile("(?<!%)(%%)*%(\\d+\\$)?d(?![a-z])");

  @Test
  void noFormatHasTheDigitsOfTheLocale() throws IOException {
    List<Path> sources = sources();

    assertThat(sources).hasSizeGreaterThan(1_000);
    assertThat(sources.stream().flatMap(DigitsTest::found)).isEmpty();
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> modules = Files.list(Checkout.root())) {
      return modules
          .map(module -> module.resolve("src/main/java"))
          .filter(Files::isDirectory)
          .flatMap(DigitsTest::filesOf)
          .toList();
    }
  }

  private static Stream<Path> filesOf(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<String> found(Path source) {
    List<String> lines;
    try {
      lines = Files.readAllLines(source);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return IntStream.range(0, lines.size())
        .filter(i -> OF_THE_LOCALE.matcher(lines.get(i)).find())
        .mapToObj(i -> "%s:%s: %s".formatted(source.getFileName(), i + 1, lines.get(i).strip()));
  }
}
