package dev.mintmark.operations.migrate;

import dev.mintmark.fixtures.TestDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** What a database holds, as text: two that hold the same have the same. */
final class SchemaText {
  private SchemaText() {}

  /** Everything that users made, a line for each. */
  static List<String> of(TestDatabase database) {
    try (InputStream file = SchemaText.class.getResourceAsStream("schema_text.sql")) {
      String sql = new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
      return new java.util.ArrayList<>(database.rows(sql).stream().map(row -> row.get(0)).toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The rows of a table in the order of their texts. */
  static String rows(TestDatabase database, String table) {
    return database.rows("select t::text from " + table + " t order by 1").stream()
        .map(row -> row.get(0))
        .collect(Collectors.joining("\n"));
  }
}
