package dev.mintmark.verify;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A program that kills all processes of a directory, and deletes it, when its standard input ends,
 * however the process that started it has ended. The first line of the input is the directory.
 */
final class ClusterGuard {
  private ClusterGuard() {}

  public static void main(String[] arguments) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Path directory = Path.of(in.readLine());
    // Also for a signal that a terminal sends to all, which Patroni survives.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(directory)));
    System.out.println("guarding");
    while (in.readLine() != null) {}
  }

  private static void end(Path directory) {
    Processes.killAll(directory);
    try {
      new ProcessBuilder("rm", "-rf", directory.toString()).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts it; it ends when the returned process's standard input is closed. */
  static Process start(Path directory) {
    try {
      ProcessBuilder builder =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "-XX:+UseSerialGC",
                  "-Xmx32m",
                  ClusterGuard.class.getName())
              .redirectError(ProcessBuilder.Redirect.INHERIT);
      // Not as an argument: no process but those of the directory may name it.
      builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
      Process process = builder.start();
      process.outputWriter(StandardCharsets.UTF_8).append(directory + "\n").flush();
      process.inputReader(StandardCharsets.UTF_8).readLine();
      return process;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
