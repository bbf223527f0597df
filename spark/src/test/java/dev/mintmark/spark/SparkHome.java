package dev.mintmark.spark;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A directory like that of an unpacked Spark, for separate processes: the jars of the class path of
 * this JVM without ours, and a configuration with little logging.
 */
final class SparkHome {
  private static final Path DIRECTORY = Path.of("target", "spark-home").toAbsolutePath();

  private SparkHome() {}

  static Path directory() {
    try {
      Path jars = Files.createDirectories(DIRECTORY.resolve("jars"));
      for (Path jar : jarsOfSpark()) {
        link(jars.resolve(jar.getFileName()), jar);
      }
      Path conf = Files.createDirectories(DIRECTORY.resolve("conf"));
      try (InputStream quiet = SparkHome.class.getResourceAsStream("/log4j2-test.properties")) {
        Files.write(
            conf.resolve("log4j2.properties"), Objects.requireNonNull(quiet).readAllBytes());
      }
      return DIRECTORY;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the class path of the processes: the configuration and all jars. */
  static String classPath() {
    Path home = directory();
    return home.resolve("conf") + File.pathSeparator + home.resolve("jars") + "/*";
  }

  private static List<Path> jarsOfSpark() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .filter(entry -> entry.endsWith(".jar"))
        .map(Path::of)
        .filter(jar -> !jar.getFileName().toString().startsWith("mintmark-"))
        .toList();
  }

  private static void link(Path link, Path jar) throws IOException {
    try {
      Files.createSymbolicLink(link, jar);
    } catch (FileAlreadyExistsException e) {
      // An earlier run linked it. It is the same version, because the name has the version.
    }
  }
}
