package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.app.cli.MintmarkCommand;
import dev.mintmark.verify.Mintmark.Outcome;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The archive of the program, unpacked on a machine that has a Java runtime and no Maven. */
class DistributionIT {
  /** {@code lib/library-1.2.jar: MIT or Apache-2.0 (its name, its address)}. */
  private static final Pattern LICENSED =
      Pattern.compile("(?m)^lib/(\\S+[.]jar): (?!Unknown)\\S.* \\(.+\\)$");

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

  /**
   * The modules that docs/operations.md names. A runtime of a distribution has no javac, but may
   * have the modules of the compiler, so that the program would find there what it must not use.
   */
  @Test
  @Tag("matrix")
  void theProgramRunsOnARuntimeWithoutTheTools() {
    Path runtime = directory.resolve("runtime");
    int status =
        ToolProvider.findFirst("jlink")
            .orElseThrow()
            .run(
                System.out,
                System.err,
                "--add-modules",
                "java.se,jdk.crypto.ec,jdk.httpserver,jdk.unsupported",
                "--output",
                runtime.toString());
    assertThat(status).isZero();
    assertThat(runtime.resolve("bin/javac")).doesNotExist();

    assertThat(program(runtime, "convert --to uuid 01FZG96YPZK4SANAG1ZM5T2K9Z").outLines())
        .containsExactly("017fe093-7adf-9932-aaaa-01fd0ba14d3f");
    Outcome tour = program(runtime, "tour --no-wait");
    assertThat(tour.status()).as(tour.err()).isZero();
  }

  @Test
  void theZipHasTheSameFilesAsTheTar() throws IOException {
    Map<String, Content> files = ofTar();

    assertThat(files).hasSizeGreaterThan(100).isEqualTo(ofZip());
    assertThat(files.get(unpacked.getFileName() + "/bin/mintmark"))
        .extracting(Content::mode)
        .isEqualTo(0755);
  }

  @Test
  void everyCommandHasAManualPage() throws IOException {
    Set<String> pages = new HashSet<>();
    addPages(MintmarkCommand.commandLine().setCommandName("mintmark"), pages);

    try (Stream<Path> files = Files.list(unpacked.resolve("share/man/man1"))) {
      assertThat(files)
          .extracting(file -> file.getFileName().toString())
          .containsExactlyInAnyOrderElementsOf(pages)
          .hasSizeGreaterThan(30);
    }
    assertThat(unpacked.resolve("share/man/man1/mintmark-pool-claim.1"))
        .content()
        .startsWith(".TH");
  }

  private static void addPages(CommandLine command, Set<String> pages) {
    pages.add(command.getCommandSpec().qualifiedName("-") + ".1");
    command.getSubcommands().values().forEach(below -> addPages(below, pages));
  }

  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh", "fish"})
  void everyCommandIsCompleted(String shell) {
    assertThat(unpacked.resolve("answers/completion." + shell))
        .content()
        .contains(MintmarkCommand.commandLine().getSubcommands().keySet());
  }

  @Test
  void everyLibraryIsListedWithItsLicence() throws IOException {
    List<String> listed =
        LICENSED
            .matcher(Files.readString(unpacked.resolve("THIRD-PARTY.txt")))
            .results()
            .map(line -> line.group(1))
            .toList();

    try (Stream<Path> files = Files.list(unpacked.resolve("lib"))) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .filteredOn(name -> !name.startsWith("mintmark-"))
          .hasSizeGreaterThan(40)
          .containsExactlyInAnyOrderElementsOf(listed);
    }
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

    try (ZipFile archive = ZipFile.builder().setPath(built("-vectors.zip")).get()) {
      assertThat(
              files(archive)
                  .map(entry -> entry.getName().replaceFirst("^mintmark-[^/]+-vectors/", "")))
          .containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  /** Without Maven: a launcher that took the archive for a checkout would fail. */
  private static Outcome program(String arguments) {
    return program(Path.of(System.getProperty("java.home")), arguments);
  }

  private static Outcome program(Path runtime, String arguments) {
    return shell(
        "env -i PATH=/usr/bin:/bin JAVA_HOME='" + runtime + "' '" + launcher() + "' " + arguments);
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

  /** What an archive says of a file. */
  private record Content(int mode, long size, long checksum) {}

  private static Map<String, Content> ofTar() throws IOException {
    Map<String, Content> files = new TreeMap<>();
    try (InputStream file = new BufferedInputStream(Files.newInputStream(archive()));
        TarArchiveInputStream tar = new TarArchiveInputStream(new GZIPInputStream(file))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        if (entry.isFile()) {
          CRC32 checksum = new CRC32();
          checksum.update(tar.readAllBytes());
          files.put(
              entry.getName(),
              new Content(entry.getMode() & 0777, entry.getSize(), checksum.getValue()));
        }
      }
    }
    return files;
  }

  private static Map<String, Content> ofZip() throws IOException {
    Map<String, Content> files = new TreeMap<>();
    String path = archive().toString().replace(".tar.gz", ".zip");
    try (ZipFile zip = ZipFile.builder().setPath(path).get()) {
      files(zip)
          .forEach(
              entry ->
                  files.put(
                      entry.getName(),
                      new Content(entry.getUnixMode() & 0777, entry.getSize(), entry.getCrc())));
    }
    return files;
  }

  private static Stream<ZipArchiveEntry> files(ZipFile zip) {
    return Collections.list(zip.getEntries()).stream().filter(entry -> !entry.isDirectory());
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
