package dev.mintmark.app;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mintmark.fixtures.Patience;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Node.js and the packages of a lock file, installed into a directory.
 *
 * <p>Without Node.js, or if the packages are not installed and npm cannot reach its registry, the
 * tests are skipped with a loud line, and fail where {@code CI=true}.
 */
final class NodeTools {
  private static final int NODE_MAJOR_MIN = 18;

  /**
   * What npm says of a network that is down, of a registry that is, or of {@code offline=true}
   * without a cached package.
   */
  private static final Pattern UNREACHABLE =
      Pattern.compile(
          "\\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT"
              + "|ERR_SOCKET_TIMEOUT|ENOTCACHED|E50\\d)\\b");

  /** The exit status of a command and what it printed. */
  record Outcome(int status, String output) {}

  private final String tested;
  private final Path directory;

  private NodeTools(String tested, Path directory) {
    this.tested = tested;
    this.directory = directory;
  }

  /**
   * Installs the packages of {@code package-lock.json}, unless they are installed.
   *
   * @param tested what cannot be tested without them
   * @param sources the directory of the lock file
   * @param directory where they are installed
   */
  static NodeTools install(String tested, Path sources, Path directory) throws Exception {
    NodeTools tools = new NodeTools(tested, directory);
    Files.createDirectories(directory);
    tools.require(
        tools.nodeMajor() >= NODE_MAJOR_MIN && isOnPath("npm"), "no Node.js 18 or later with npm");
    tools.install(sources);
    return tools;
  }

  private void install(Path sources) throws Exception {
    Path lock = sources.resolve("package-lock.json");
    // A copy of the lock file that says which versions are installed.
    Path installed = directory.resolve("installed.json");
    if (Files.exists(installed) && Files.mismatch(installed, lock) == -1) {
      return;
    }
    Files.deleteIfExists(installed);
    for (String file : List.of("package.json", "package-lock.json")) {
      Files.write(directory.resolve(file), Files.readAllBytes(sources.resolve(file)));
    }
    Outcome install =
        run(
            directory,
            "npm",
            "ci",
            "--prefer-offline",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
            "--fetch-retries=1",
            "--fetch-retry-mintimeout=1000",
            "--fetch-timeout=60000");
    require(
        install.status() == 0 || !UNREACHABLE.matcher(install.output()).find(),
        "npm cannot reach its registry");
    assertThat(install.status()).as(install.output()).isZero();
    Files.copy(lock, installed);
  }

  /** Skips the tests without a condition, and fails in continuous integration. */
  private void require(boolean isMet, String otherwise) {
    if (!isMet && "true".equals(System.getenv("CI"))) {
      throw new IllegalStateException(tested + " cannot be tested: " + otherwise);
    }
    if (!isMet) {
      System.err.println("NOT TESTED: " + tested + ": " + otherwise);
    }
    assumeTrue(isMet);
  }

  /** 0 without Node.js. */
  private int nodeMajor() throws Exception {
    if (!isOnPath("node")) {
      return 0;
    }
    Matcher version =
        Pattern.compile("v(\\d+)\\.").matcher(run(directory, "node", "--version").output());
    return version.lookingAt() ? Integer.parseInt(version.group(1)) : 0;
  }

  private static boolean isOnPath(String program) {
    return Arrays.stream(path().split(File.pathSeparator))
        .filter(entry -> !entry.isEmpty())
        .anyMatch(entry -> Files.isExecutable(Path.of(entry, program)));
  }

  private static String path() {
    return Optional.ofNullable(System.getenv("PATH")).orElse("");
  }

  /** Runs a command that finds the installed packages. */
  Outcome run(Path workingDirectory, String... command) throws IOException, InterruptedException {
    Path output = directory.resolve("output.txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(workingDirectory.toFile())
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
            .redirectOutput(output.toFile());
    String path = directory.resolve("node_modules/.bin") + File.pathSeparator + path();
    builder.environment().putAll(Map.of("PATH", path, "NO_COLOR", "1"));
    Process process = builder.start();
    try {
      if (!process.waitFor(Patience.MAX.toSeconds(), SECONDS)) {
        throw new AssertionError(
            String.join(" ", command) + " takes too long:\n" + Files.readString(output));
      }
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    return new Outcome(process.exitValue(), Files.readString(output));
  }
}
