package dev.mintmark.app.view;

import dev.mintmark.Inspector;
import java.util.List;

/**
 * An identifier and its readings, as JSON.
 *
 * @param readings the most likely one first; empty if no kind of identifier fits
 */
public record InspectionJson(String input, List<ReadingJson> readings) {
  public static InspectionJson inspect(String input) {
    return new InspectionJson(
        input, Inspector.inspect(input).stream().map(ReadingJson::of).toList());
  }
}
