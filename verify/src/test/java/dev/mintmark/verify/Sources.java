package dev.mintmark.verify;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The files in one directory of each module. */
enum Sources {
  MAIN("src/main"),
  TESTS("src/test/java");

  private final String directory;

  Sources(String directory) {
    this.directory = directory;
  }

  /** The simple names of the top-level classes. */
  Set<String> classNames() {
    return files(".java").stream().map(Sources::className).collect(Collectors.toSet());
  }

  /** The simple names of the top-level classes whose sources contain a text. */
  Set<String> classesWith(String text) {
    return files(".java").stream()
        .filter(file -> text(file).contains(text))
        .map(Sources::className)
        .collect(Collectors.toSet());
  }

  /** The texts of the files whose name ends with an extension. */
  List<String> texts(String extension) {
    return files(extension).stream().map(Sources::text).toList();
  }

  /** The files whose name ends with an extension. */
  List<Path> files(String extension) {
    try (Stream<Path> modules = Files.list(Checkout.root())) {
      return modules
          .map(module -> module.resolve(directory))
          .filter(Files::isDirectory)
          .flatMap(Sources::filesIn)
          .filter(file -> file.toString().endsWith(extension))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String className(Path file) {
    return file.getFileName().toString().replace(".java", "");
  }

  private static Stream<Path> filesIn(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
