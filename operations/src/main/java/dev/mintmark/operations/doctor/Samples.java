package dev.mintmark.operations.doctor;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Some values of columns: from the statistics, and of rows where there are none. */
final class Samples {
  private final Map<Column, List<String>> values = new HashMap<>();

  private Samples() {}

  static Samples read(List<Column> columns, GuardedReader reader) throws SQLException {
    Samples samples = new Samples();
    Map<Column, Probe> wanted = new LinkedHashMap<>();
    for (Column column : columns) {
      if (column.statistics().isPresent()) {
        samples.values.put(column, column.statistics().get().sample());
      } else if (column.obstacle().isPresent()) {
        reader.skip("values of " + column.object(), column.obstacle().get());
      } else {
        wanted.put(column, Probe.sample(column));
      }
    }
    samples.values.putAll(reader.look(wanted));
    return samples;
  }

  /** None where nothing could be read. */
  List<String> of(Column column) {
    return values.getOrDefault(column, List.of());
  }
}
