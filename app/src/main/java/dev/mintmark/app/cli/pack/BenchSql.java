package dev.mintmark.app.cli.pack;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** The statements of a measurement, in which names stand for the schema, the mint and the rows. */
final class BenchSql {
  private static final Pattern COMMENT = Pattern.compile("(?m)^--.*\n");

  private final String schema;
  private final long rows;

  /**
   * @param schema a name that needs no quotes
   */
  BenchSql(String schema, long rows) {
    this.schema = schema;
    this.rows = rows;
  }

  /** Returns a statement without the comment of its file. */
  String of(String name, BenchMint mint) {
    return COMMENT
        .matcher(text(name))
        .replaceAll("")
        .replace(":mint", mint.expression())
        .replace(":type", mint.type())
        .replace(":rows", Long.toString(rows))
        .replace(":schema", schema)
        .strip();
  }

  /** Returns the statement that creates the sequence of the key of numbers. */
  String sequence() {
    return "create sequence " + schema + ".numbers";
  }

  static String text(String name) {
    try (InputStream file = BenchSql.class.getResourceAsStream(name + ".sql")) {
      if (file == null) {
        throw new IllegalStateException("no statement " + name + ".sql beside " + BenchSql.class);
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
