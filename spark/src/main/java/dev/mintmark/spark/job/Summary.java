package dev.mintmark.spark.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The summary of a complete output, for this run and earlier runs together.
 *
 * @param request the request
 * @param parts the number of parts
 * @param partsBefore the number of parts that earlier runs completed
 * @param total the sum of the results of all parts
 * @param seconds the duration of this run in seconds
 */
record Summary(Request request, int parts, int partsBefore, PartResult total, double seconds) {
  /** Returns the number of rows in the output. */
  long rowsWritten() {
    return total.rows() - total.rejected();
  }

  /** Returns the summary as text. */
  String text() {
    String rejects =
        total.rejected() == 0
            ? "no rows rejected"
            : String.format(
                Locale.ROOT, "%,d rows rejected, in %s", total.rejected(), request.rejects());
    String before =
        partsBefore == 0
            ? ""
            : String.format(Locale.ROOT, ", %,d of them in earlier runs", partsBefore);
    return String.format(
        Locale.ROOT,
        "%,d rows in %s (%,d files, %,d bytes)%n%s%n%,d parts%s, %.1f s",
        rowsWritten(),
        request.output(),
        total.files(),
        total.bytes(),
        rejects,
        parts,
        before,
        seconds);
  }

  /** Returns the summary as JSON. */
  String json() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("output", request.output().toString());
    fields.put("rejects", request.rejects().toString());
    fields.put("rows", total.rows());
    fields.put("written", rowsWritten());
    fields.put("rejected", total.rejected());
    fields.put("files", total.files());
    fields.put("bytes", total.bytes());
    fields.put("parts", parts);
    fields.put("partsBefore", partsBefore);
    fields.put("seconds", Math.round(seconds * 1000) / 1000.0);
    try {
      return new ObjectMapper().writeValueAsString(fields);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
