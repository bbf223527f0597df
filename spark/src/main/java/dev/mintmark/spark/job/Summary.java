package dev.mintmark.spark.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What is in the output once it is complete, of this run and those before it.
 *
 * @param request what was asked for
 * @param parts how many parts there were
 * @param partsBefore how many of them earlier runs had done
 * @param total the sum of the parts
 * @param seconds how long this run took
 */
record Summary(Request request, int parts, int partsBefore, PartResult total, double seconds) {
  /** Rows that are in the output. */
  long rowsWritten() {
    return total.rows() - total.rejected();
  }

  /** For people. */
  String text() {
    String rejects =
        total.rejected() == 0
            ? "no row rejected"
            : String.format(
                Locale.ROOT, "%,d rejected, kept in %s", total.rejected(), request.rejects());
    String before =
        partsBefore == 0 ? "" : String.format(Locale.ROOT, ", %,d of them before", partsBefore);
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

  /** For programs. */
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
