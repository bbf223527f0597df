package dev.mintmark.app.view;

import dev.mintmark.DeclaredFormats;
import dev.mintmark.Inspector;
import dev.mintmark.Puris;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An identifier and its readings, as JSON.
 *
 * @param readings the most likely one first; empty if no kind of identifier fits
 * @param nearestMiss why there is none; null if there are readings
 */
public record InspectionJson(
    String input, List<ReadingJson> readings, @Nullable String nearestMiss) {
  /** Inspects a text; compact pURIs of these collections are read, and these formats. */
  public static InspectionJson inspect(String input, Puris puris, DeclaredFormats formats) {
    List<ReadingJson> readings =
        Inspector.inspect(input, InstantSource.system(), puris, formats).stream()
            .map(ReadingJson::of)
            .toList();
    return new InspectionJson(
        input, readings, readings.isEmpty() ? Inspector.nearestMiss(input) : null);
  }

  /** Returns the lines of a text that has several, or the text itself. */
  public static List<String> lines(String text) {
    List<String> lines = text.lines().filter(line -> !line.isBlank()).toList();
    return lines.size() > 1 ? lines : List.of(text);
  }
}
