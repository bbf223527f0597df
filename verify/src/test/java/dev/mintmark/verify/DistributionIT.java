package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.verify.Mintmark.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive of the program, unpacked on a machine that has a Java runtime and no Maven. */
class DistributionIT {
  @TempDir static Path directory;

  private static Path unpacked;

  @BeforeAll
  static void unpack() throws IOException {
    Path home = Files.createDirectory(directory.resolve("a home"));
    shell("tar xzf '" + archive() + "' -C '" + home + "'");
    try (Stream<Path> entries = Files.list(home)) {
      List<Path> roots = entries.toList();
      assertThat(roots).hasSize(1);
      unpacked = roots.get(0);
    }
  }

  @Test
  void theProgramRunsWithoutMavenAndChangesNothingInItsDirectory() throws IOException {
    List<Path> before = files();

    assertThat(program("convert --to uuid 01FZG96YPZK4SANAG1ZM5T2K9Z").outLines())
        .containsExactly("017fe093-7adf-9932-aaaa-01fd0ba14d3f");
    assertThat(program("mint -n 3").outLines()).hasSize(3);
    assertThat(program("pack print").out()).contains("create function");
    assertThat(program("catalog schema").out()).startsWith("{");
    assertThat(files()).containsExactlyInAnyOrderElementsOf(before);
  }

  @Test
  void theVersionIsThatOfTheProgram() {
    String version = Mintmark.in(directory).run("--version").out();

    assertThat(program("--version").out()).isEqualTo(version);
    assertThat(program("mint --version").out()).isEqualTo(version);
    assertThat(unpacked.getFileName().toString())
        .startsWith(version.strip().replace(' ', '-') + "-");
  }

  @Test
  void aSymbolicLinkToTheLauncherRunsTheProgram() {
    Outcome linked =
        shell(
            "mkdir bin && ln -s '"
                + unpacked.resolve("bin/mintmark")
                + "' bin/mintmark && PATH=$PWD/bin:$PATH && mintmark mnit; rm -r bin");

    assertThat(linked.errLines()).endsWith("Did you mean: mintmark mint?", "try: mintmark --help");
  }

  @Test
  void aJavaThatIsMissingIsNamed() {
    Outcome missing = shell("JAVA_HOME=/nowhere '" + launcher() + "' mint");

    assertThat(missing.err()).contains("JAVA_HOME is /nowhere: it has no bin/java");
  }

  @Test
  void theLicenseAndTheNoticeAreInTheArchive() {
    for (String name : List.of("LICENSE", "NOTICE", "SECURITY.md", "CHANGELOG.md")) {
      assertThat(unpacked.resolve(name)).hasSameBinaryContentAs(Checkout.root().resolve(name));
    }
    assertThat(unpacked.resolve("README.md")).content().doesNotContain("${");
  }

  /** Other languages are tested with them, so the archive is the directory and the licence. */
  @Test
  void theVectorsAreAnArchiveOfTheirOwn() throws IOException {
    Path vectors = Checkout.root().resolve("vectors");
    Set<String> expected = new HashSet<>(Set.of("LICENSE", "NOTICE"));
    try (Stream<Path> files = Files.list(vectors)) {
      files
          .filter(Files::isRegularFile)
          .map(f -> f.getFileName().toString())
          .forEach(expected::add);
    }

    try (ZipFile archive = new ZipFile(built("-vectors.zip").toFile())) {
      assertThat(
              archive.stream()
                  .filter(entry -> !entry.isDirectory())
                  .map(entry -> entry.getName().replaceFirst("^mintmark-[^/]+-vectors/", "")))
          .containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  /** Without Maven: a launcher that took the archive for a checkout would fail. */
  private static Outcome program(String arguments) {
    return shell(
        "env -i PATH=/usr/bin:/bin JAVA_HOME='"
            + System.getProperty("java.home")
            + "' '"
            + launcher()
            + "' "
            + arguments);
  }

  private static Path launcher() {
    return unpacked.resolve("bin/mintmark");
  }

  private static Outcome shell(String command) {
    return Mintmark.in(directory).shell(command);
  }

  private static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(unpacked)) {
      return files.toList();
    }
  }

  private static Path archive() throws IOException {
    return built(".tar.gz");
  }

  /** The one file of the build with such a name. */
  private static Path built(String ending) throws IOException {
    Path target = Checkout.root().resolve("distribution/target");
    try (Stream<Path> files = Files.list(target)) {
      List<Path> archives =
          files.filter(file -> file.getFileName().toString().endsWith(ending)).toList();
      assertThat(archives).as("*%s in %s", ending, target).hasSize(1);
      return archives.get(0);
    }
  }
}
