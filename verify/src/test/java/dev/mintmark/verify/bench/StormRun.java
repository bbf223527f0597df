package dev.mintmark.verify.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code mintmark storm} in a process of its own. */
final class StormRun {
  private StormRun() {}

  /**
   * Runs a command to its end and returns what it says.
   *
   * @param heapMegabytes how much heap it gets
   * @throws IllegalStateException if it fails
   */
  static JsonNode json(int heapMegabytes, String arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heapMegabytes + "m",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.mintmark.app.Main"));
    command.addAll(List.of(arguments.split(" ", -1)));
    command.add("--json");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
    try {
      Process process = builder.start();
      byte[] out = process.getInputStream().readAllBytes();
      if (process.waitFor() != 0) {
        throw new IllegalStateException("mintmark " + arguments + ": " + process.exitValue());
      }
      return JsonMapper.shared().readTree(new String(out, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
