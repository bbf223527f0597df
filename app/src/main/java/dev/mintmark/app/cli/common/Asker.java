package dev.mintmark.app.cli.common;

import dev.mintmark.catalog.CatalogException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks questions on a terminal.
 *
 * @param answers null if nobody can be asked: each answer is then the default
 */
public record Asker(@Nullable BufferedReader answers, PrintWriter err) {
  /** Returns one that asks on stdin if {@code asks} is true. */
  public static Asker of(boolean asks, PrintWriter err) {
    return new Asker(
        asks ? new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)) : null,
        err);
  }

  /** Asks a question until the answer is valid. An empty answer is the default. */
  public String ask(String question, String preset, Consumer<String> check) {
    while (answers != null) {
      err.print("%s [%s]: ".formatted(question, preset));
      err.flush();
      String line = line(answers);
      if (line == null || line.isBlank()) {
        break;
      }
      try {
        check.accept(line.strip());
        return line.strip();
      } catch (CatalogException | IllegalArgumentException e) {
        err.println(e.getMessage());
      }
    }
    return preset;
  }

  private static @Nullable String line(BufferedReader answers) {
    try {
      return answers.readLine();
    } catch (IOException e) {
      throw new FileException("stdin", e);
    }
  }
}
