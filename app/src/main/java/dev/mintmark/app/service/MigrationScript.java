package dev.mintmark.app.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The migrations of our tables as one script, for programs that do not run Flyway. */
public final class MigrationScript {
  /** The name of a migration that Flyway runs once. */
  private static final Pattern VERSIONED = Pattern.compile("V([0-9]+)__[a-z0-9_]+\\.sql");

  private MigrationScript() {}

  /**
   * Returns a script that creates the schema {@code mintmark} and runs the migrations in one
   * transaction, in the order of their versions.
   *
   * @param location the directory of the migrations on the class path
   * @throws UncheckedIOException if they cannot be read
   */
  public static String of(String location) {
    URL directory =
        Objects.requireNonNull(
            MigrationScript.class.getClassLoader().getResource(location), location);
    try {
      URI uri = directory.toURI();
      if (!uri.getScheme().equals("jar")) {
        return script(Path.of(uri));
      }
      try (FileSystem jar = FileSystems.newFileSystem(uri, Map.of())) {
        return script(jar.getPath(location));
      }
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String script(Path directory) throws IOException {
    StringBuilder script = new StringBuilder("begin;\ncreate schema if not exists mintmark;\n");
    try (Stream<Path> files = Files.list(directory)) {
      List<Path> migrations =
          files
              .filter(file -> version(file).matches())
              .sorted(Comparator.comparingInt(MigrationScript::versionOf))
              .toList();
      for (Path migration : migrations) {
        script
            .append("\n-- ")
            .append(migration.getFileName())
            .append('\n')
            .append(Files.readString(migration).strip())
            .append('\n');
      }
    }
    return script.append("\ncommit;\n").toString();
  }

  private static int versionOf(Path migration) {
    Matcher name = version(migration);
    return name.matches() ? Integer.parseInt(name.group(1)) : 0;
  }

  private static Matcher version(Path file) {
    return VERSIONED.matcher(String.valueOf(file.getFileName()));
  }
}
