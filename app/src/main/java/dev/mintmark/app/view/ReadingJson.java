package dev.mintmark.app.view;

import dev.mintmark.Form;
import dev.mintmark.Reading;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One reading of an identifier, as JSON. */
public record ReadingJson(
    String kind,
    String reason,
    @Nullable Integer version,
    @Nullable String time,
    Map<String, String> forms,
    List<ReadingFieldJson> fields,
    List<String> warnings) {
  static ReadingJson of(Reading reading) {
    Map<String, String> forms = new LinkedHashMap<>();
    reading.forms().forEach((form, text) -> forms.put(form.label(), text));
    return new ReadingJson(
        reading.kind(),
        reading.reason(),
        reading.version().isPresent() ? reading.version().getAsInt() : null,
        reading.time().map(time -> time(reading, time)).orElse(null),
        forms,
        reading.fields().stream().map(ReadingFieldJson::of).toList(),
        reading.warnings());
  }

  /** As the form writes it, if the reading has that form: always with milliseconds. */
  private static String time(Reading reading, Instant time) {
    return reading.forms().getOrDefault(Form.TIME, time.toString());
  }
}
