package dev.mintmark.app.cli.common;

import dev.mintmark.Catalog;
import dev.mintmark.Spelling;
import dev.mintmark.catalog.CatalogException;
import dev.mintmark.catalog.CatalogReader;
import dev.mintmark.catalog.LocatedCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The file of the catalog of a command. With {@code -v} its path is printed. If it is missing, a
 * file with a similar name is suggested.
 */
public final class CatalogFile {
  /** The catalog of a directory. */
  public static final Path DEFAULT = Path.of("mintmark.yaml");

  private CatalogFile() {}

  /**
   * Reads a catalog.
   *
   * @throws CatalogException if the file is missing or malformed
   */
  public static Catalog read(CommandSpec command, Path file) {
    return read(command, file, CatalogReader::read);
  }

  /** As {@link #read(CommandSpec, Path)}, with the lines of what it declares. */
  public static LocatedCatalog readLocated(CommandSpec command, Path file) {
    return read(command, file, CatalogReader::readLocated);
  }

  private static <T> T read(CommandSpec command, Path file, Function<Path, T> reading) {
    Verbosity.details(command).println("catalog " + file.toAbsolutePath().normalize());
    return reading.apply(file);
  }

  /** Reads a catalog if its file exists. */
  public static Optional<Catalog> readIfPresent(CommandSpec command, Path file) {
    return isPresent(command, file) ? Optional.of(read(command, file)) : Optional.empty();
  }

  /**
   * Whether a file exists. If one exists with the suffix {@code .yml} instead, a notice says so.
   */
  public static boolean isPresent(CommandSpec command, Path file) {
    if (Files.exists(file)) {
      return true;
    }
    Path otherSuffix = Path.of(file.toString().replaceFirst("\\.yaml$", ".yml"));
    if (Files.exists(otherSuffix)) {
      Verbosity.notices(command)
          .println("%s is not read: rename it to %s".formatted(otherSuffix, file));
    }
    return false;
  }

  /**
   * Returns what to do about a catalog that is missing; empty if the exception has other causes.
   */
  public static Optional<String> remedy(Exception e) {
    if (!(e instanceof CatalogException)
        || !(e.getCause() instanceof NoSuchFileException missing)) {
      return Optional.empty();
    }
    Path file = Path.of(missing.getFile());
    return Optional.of(
        similar(file)
            .map("; did you mean %s?"::formatted)
            .orElse(
                "; mintmark doctor --catalog > %s writes a draft for a database".formatted(file)));
  }

  /** Returns the catalog beside a missing file that has a similar name. */
  private static Optional<Path> similar(Path missing) {
    Path directory = missing.toAbsolutePath().getParent();
    if (directory == null || !Files.isDirectory(directory)) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.list(directory)) {
      List<String> catalogs =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.matches(".*\\.ya?ml"))
              .sorted()
              .toList();
      return Spelling.nearest(missing.getFileName().toString(), catalogs)
          .map(missing::resolveSibling);
    } catch (IOException e) {
      return Optional.empty(); // a suggestion is not worth a failure
    }
  }
}
