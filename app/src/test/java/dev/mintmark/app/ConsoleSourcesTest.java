package dev.mintmark.app;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The sources of the console have no type errors, are formatted, and pass their unit tests. The
 * commands are the scripts of {@code app/package.json}; what they need is installed into {@code
 * target/console}.
 *
 * <p>Without Node.js, or if the tools are not installed and npm cannot reach its registry, the
 * tests are skipped with a loud line, and fail where {@code CI=true}.
 */
@Tag("slow")
class ConsoleSourcesTest {
  private static final Path PROJECT = Path.of("").toAbsolutePath();
  private static final Path TOOLS = PROJECT.resolve("target/console");

  /** A copy of the lock file that says which versions are installed. */
  private static final Path INSTALLED = TOOLS.resolve("installed.json");

  private static final int NODE_MAJOR_MIN = 18;
  private static final int MINUTES_MAX = 5;

  /**
   * What npm says of a network that is down, or of {@code offline=true} without a cached package.
   */
  private static final Pattern UNREACHABLE =
      Pattern.compile(
          "\\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT"
              + "|ERR_SOCKET_TIMEOUT|ENOTCACHED)\\b");

  /** The exit status of a command and what it printed. */
  private record Outcome(int status, String output) {}

  @BeforeAll
  static void installTools() throws Exception {
    require(nodeMajor() >= NODE_MAJOR_MIN && isOnPath("npm"), "no Node.js 18 or later with npm");
    Path lock = PROJECT.resolve("package-lock.json");
    if (Files.exists(INSTALLED) && Files.mismatch(INSTALLED, lock) == -1) {
      return;
    }
    Files.createDirectories(TOOLS);
    Files.deleteIfExists(INSTALLED);
    for (String file : List.of("package.json", "package-lock.json")) {
      Files.write(TOOLS.resolve(file), Files.readAllBytes(PROJECT.resolve(file)));
    }
    Outcome install =
        run(
            TOOLS,
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
    Files.copy(lock, INSTALLED);
  }

  @Test
  void theSourcesHaveNoTypeErrors() throws Exception {
    assertPasses("types");
  }

  @Test
  void theSourcesAreFormatted() throws Exception {
    assertPasses("format");
  }

  @Test
  void theUnitTestsPass() throws Exception {
    assertPasses("test");
  }

  private static void assertPasses(String script) throws Exception {
    Outcome outcome = run(PROJECT, "npm", "run", "--silent", script);
    assertThat(outcome.status()).as("npm run %s:%n%s", script, outcome.output()).isZero();
  }

  /** Skips the tests without a condition, and fails in continuous integration. */
  private static void require(boolean isMet, String otherwise) {
    if (!isMet && "true".equals(System.getenv("CI"))) {
      throw new IllegalStateException("the sources of the console cannot be checked: " + otherwise);
    }
    if (!isMet) {
      System.err.println("NOT TESTED: the sources of the console: " + otherwise);
    }
    assumeTrue(isMet);
  }

  /** 0 without Node.js. */
  private static int nodeMajor() throws Exception {
    if (!isOnPath("node")) {
      return 0;
    }
    Files.createDirectories(TOOLS);
    Matcher version =
        Pattern.compile("v(\\d+)\\.").matcher(run(TOOLS, "node", "--version").output());
    return version.lookingAt() ? Integer.parseInt(version.group(1)) : 0;
  }

  private static boolean isOnPath(String program) {
    return Arrays.stream(path().split(File.pathSeparator))
        .filter(directory -> !directory.isEmpty())
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
  }

  private static String path() {
    return Optional.ofNullable(System.getenv("PATH")).orElse("");
  }

  /** Runs a command that finds the installed tools. */
  private static Outcome run(Path directory, String... command)
      throws IOException, InterruptedException {
    Path output = TOOLS.resolve("output.txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
            .redirectOutput(output.toFile());
    String tools = TOOLS.resolve("node_modules/.bin") + File.pathSeparator + path();
    builder.environment().putAll(Map.of("PATH", tools, "NO_COLOR", "1"));
    Process process = builder.start();
    try {
      if (!process.waitFor(MINUTES_MAX, MINUTES)) {
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
