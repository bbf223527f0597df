package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A copy of the sources of this checkout, which the Maven of the {@code PATH} builds. */
final class CheckoutCopy {
  /** Directories that a build makes, and that of git. */
  private static final Set<String> NOT_COPIED =
      Set.of("target", ".git", ".mintmark", "node_modules");

  private final Path root;

  private CheckoutCopy(Path root) {
    this.root = root;
  }

  /** Copies the sources to a directory that does not exist yet. */
  static CheckoutCopy to(Path directory) throws IOException {
    Path from = Checkout.root();
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path each, BasicFileAttributes attributes) {
            if (NOT_COPIED.contains(each.getFileName().toString())) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            create(directory.resolve(from.relativize(each).toString()));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path each, BasicFileAttributes attributes)
              throws IOException {
            Files.copy(each, directory.resolve(from.relativize(each).toString()));
            return FileVisitResult.CONTINUE;
          }
        });
    return new CheckoutCopy(directory);
  }

  Path root() {
    return root;
  }

  /** Runs Maven on a JDK and fails with its log if it fails. */
  void build(Path jdk, String... goals) throws IOException, InterruptedException {
    Build build = maven(jdk, goals);
    assertThat(build.status()).as(build.log()).isZero();
  }

  /** Runs Maven on a JDK, without the check of the layout. */
  Build maven(Path jdk, String... goals) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("mvn", "-B", "-ntp", "-q", "-T1"));
    command.add("-Dspotless.check.skip");
    command.addAll(List.of(goals));
    Path log = root.resolveSibling(root.getFileName() + ".log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(root.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("JAVA_HOME", jdk.toString());
    Process maven = builder.start();
    assertThat(maven.waitFor(6 * Patience.MAX.toSeconds(), TimeUnit.SECONDS)).isTrue();
    return new Build(maven.exitValue(), Files.readString(log));
  }

  /** How a run of Maven ended. */
  record Build(int status, String log) {}

  private static void create(Path directory) {
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
