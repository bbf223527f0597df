package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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

  private final Path directory;

  MatrixIT(@TempDir Path directory) {
    this.directory = directory;
  }

  @Test
  void librariesRunOnOtherJdks() throws Exception {
    List<Path> jdks = jdks();
    assumeTrue(!jdks.isEmpty(), "no other JDK is installed; " + JDKS + " names none");

    for (Path jdk : jdks) {
      copy(jdk.getFileName().toString()).build(jdk, "-pl", LIBRARIES, "-am", "test");
    }
  }

  /** The oldest versions that users may bring: the driver and the YAML parser. */
  @Test
  void librariesRunWithOlderVersionsOfWhatTheyUse() throws Exception {
    copy("older")
        .build(
            Path.of(System.getProperty("java.home")),
            "-Dpostgresql.version=42.6.2",
            "-Dsnakeyaml-engine.version=3.0.1",
            "-pl",
            "catalog,postgres,operations",
            "-am",
            "test");
  }

  /** The oldest version for which docs/warehouse.md promises the functions. */
  @Test
  void theScriptForDuckDbRunsInItsOldestVersion() throws Exception {
    copy("duckdb")
        .build(
            Path.of(System.getProperty("java.home")),
            "-Dduckdb.version=1.4.4.0",
            "-pl",
            "warehouse",
            "-am",
            "-Dtest=DuckDb*",
            "-Dsurefire.failIfNoSpecifiedTests=false",
            "test");
  }

  @Test
  void twoBuildsMakeTheSameJarsAndArchives() throws Exception {
    Path java = Path.of(System.getProperty("java.home"));
    List<String> modules = Pom.publishedModules();
    String built = String.join(",", modules) + ",distribution";
    List<String> goal = List.of("-Dmaven.test.skip=true", "-pl", built, "-am", "package");

    CheckoutCopy first = copy("first");
    first.build(java, goal.toArray(String[]::new));
    CheckoutCopy second = copy("elsewhere/second");
    second.build(java, goal.toArray(String[]::new));

    Map<String, String> digests = digests(first.root());
    assertThat(digests)
        .containsKeys(modules.stream().flatMap(MatrixIT::jars).toArray(String[]::new))
        .isEqualTo(digests(second.root()));
    assertThat(digests.keySet())
        .filteredOn(name -> !name.endsWith(".jar"))
        .as("the archive in two formats, and the vectors")
        .hasSize(3);
  }

  /** The jar that a module is published as: none for the bill of materials. */
  private static Stream<String> jars(String module) {
    Pom pom = Pom.of(module);
    if (pom.texts("/project/packaging").contains("pom")) {
      return Stream.empty();
    }
    String usual =
        pom.texts("/project/artifactId").get(0)
            + "-"
            + Pom.of(".").texts("/project/version").get(0);
    return Stream.of(
        pom.texts("/project/build/finalName").stream().findFirst().orElse(usual) + ".jar");
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

  /** Our own jars of every module, and the archives of the program, by their names. */
  private static Map<String, String> digests(Path checkout) throws IOException {
    Map<String, String> digests = new TreeMap<>();
    try (Stream<Path> files = Files.find(checkout, 3, (file, attributes) -> isPublished(file))) {
      for (Path jar : files.toList()) {
        digests.put(jar.getFileName().toString(), digest(jar));
      }
    }
    return digests;
  }

  private static boolean isPublished(Path file) {
    return file.getFileName().toString().matches("mintmark-.*[.](jar|tar[.]gz|zip)");
  }

  private static String digest(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(in.readAllBytes()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private CheckoutCopy copy(String name) throws IOException {
    return CheckoutCopy.to(directory.resolve(name));
  }
}
