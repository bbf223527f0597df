package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mintmark.fixtures.Patience;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Builds of this checkout that differ from the ordinary one: on other JDKs, with older libraries,
 * and twice. Each is made in a copy, by the Maven of the {@code PATH}.
 */
@Tag("matrix")
final class MatrixIT {
  /**
   * The directories of JDKs, with the separator of paths between them. Without it, the JDKs beside
   * the one that runs this.
   */
  private static final String JDKS = "MINTMARK_JDKS";

  private static final String LIBRARIES = "core,catalog,postgres,operations,testkit,warehouse";
  private static final Pattern FEATURE = Pattern.compile("(?m)^JAVA_VERSION=\"(\\d+)");

  /** Directories that a build makes, and that of git. */
  private static final Set<String> NOT_COPIED = Set.of("target", ".git", ".mintmark");

  private final Path directory;

  MatrixIT(@TempDir Path directory) {
    this.directory = directory;
  }

  @Test
  void librariesRunOnOtherJdks() throws Exception {
    List<Path> jdks = jdks();
    assumeTrue(!jdks.isEmpty(), "no other JDK is installed; " + JDKS + " names none");

    for (Path jdk : jdks) {
      Path checkout = copy(jdk.getFileName().toString());

      maven(checkout, jdk, "-pl", LIBRARIES, "-am", "test");
    }
  }

  /** The oldest versions that users may bring: the driver and the YAML parser. */
  @Test
  void librariesRunWithOlderVersionsOfWhatTheyUse() throws Exception {
    Path checkout = copy("older");

    maven(
        checkout,
        Path.of(System.getProperty("java.home")),
        "-Dpostgresql.version=42.6.2",
        "-Dsnakeyaml-engine.version=3.0.1",
        "-pl",
        "catalog,postgres,operations",
        "-am",
        "test");
  }

  @Test
  void twoBuildsMakeTheSameJars() throws Exception {
    Path java = Path.of(System.getProperty("java.home"));
    List<String> goal = List.of("-Dmaven.test.skip=true", "-pl", "app", "-am", "package");

    Path first = copy("first");
    maven(first, java, goal.toArray(String[]::new));
    Path second = copy("elsewhere/second");
    maven(second, java, goal.toArray(String[]::new));

    Map<String, String> digests = digests(first);
    assertThat(digests).hasSizeGreaterThanOrEqualTo(7).isEqualTo(digests(second));
  }

  private static List<Path> jdks() throws IOException {
    String named = System.getenv(JDKS);
    if (named != null) {
      return Stream.of(named.split(File.pathSeparator, -1))
          .filter(jdk -> !jdk.isEmpty())
          .map(Path::of)
          .toList();
    }
    Map<Integer, Path> byFeature = new TreeMap<>();
    try (Stream<Path> installed =
        Files.list(Path.of(System.getProperty("java.home")).toRealPath().getParent())) {
      for (Path jdk : installed.filter(MatrixIT::isJdk).toList()) {
        Matcher feature = FEATURE.matcher(Files.readString(jdk.resolve("release")));
        if (feature.find()) {
          byFeature.putIfAbsent(Integer.parseInt(feature.group(1)), jdk.toRealPath());
        }
      }
    }
    byFeature.keySet().removeIf(feature -> feature < 17 || feature == Runtime.version().feature());
    return List.copyOf(byFeature.values());
  }

  private static boolean isJdk(Path directory) {
    return Files.isExecutable(directory.resolve("bin/javac"))
        && Files.isRegularFile(directory.resolve("release"));
  }

  private void maven(Path checkout, Path java, String... goals)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("mvn", "-B", "-ntp", "-q", "-T1"));
    command.add("-Dspotless.check.skip");
    command.addAll(List.of(goals));
    Path log = directory.resolve(checkout.getFileName() + ".log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(checkout.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("JAVA_HOME", java.toString());
    Process maven = builder.start();
    assertThat(maven.waitFor(6 * Patience.MAX.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(maven.exitValue()).as(Files.readString(log)).isZero();
  }

  /** Our own jars of every module, by their names. */
  private static Map<String, String> digests(Path checkout) throws IOException {
    Map<String, String> digests = new TreeMap<>();
    try (Stream<Path> files = Files.find(checkout, 3, (file, attributes) -> isJar(file))) {
      for (Path jar : files.toList()) {
        digests.put(jar.getFileName().toString(), digest(jar));
      }
    }
    return digests;
  }

  private static boolean isJar(Path file) {
    String name = file.getFileName().toString();
    return name.startsWith("mintmark-") && name.endsWith(".jar");
  }

  private static String digest(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(in.readAllBytes()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private Path copy(String name) throws IOException {
    Path root = Checkout.root();
    Path copy = directory.resolve(name);
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path from, BasicFileAttributes attributes) {
            if (NOT_COPIED.contains(from.getFileName().toString())) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            create(copy.resolve(root.relativize(from).toString()));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path from, BasicFileAttributes attributes)
              throws IOException {
            Files.copy(from, copy.resolve(root.relativize(from).toString()));
            return FileVisitResult.CONTINUE;
          }
        });
    return copy;
  }

  private static void create(Path directory) {
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
