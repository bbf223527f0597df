package dev.mintmark.app.cli.pack;

import java.util.ArrayList;
import java.util.List;

/**
 * A default that is measured.
 *
 * @param name what the table of results calls it
 * @param type the type of the column
 * @param expression the expression of SQL; {@code :schema} stands for the schema of the measurement
 * @param isPack whether it is a mint of the pack
 */
record BenchMint(String name, String type, String expression, boolean isPack) {
  /** Those that are always measured. */
  static final List<BenchMint> STANDARD =
      List.of(
          new BenchMint(
              "bigint sequence",
              "bigint",
              "pg_catalog.nextval(':schema.numbers'::pg_catalog.regclass)",
              false),
          new BenchMint("gen_random_uuid()", "uuid", "pg_catalog.gen_random_uuid()", false),
          new BenchMint("ulid()", "uuid", ":schema.ulid()", true),
          new BenchMint("uuidv7()", "uuid", ":schema.uuidv7()", true),
          new BenchMint("ulid_monotonic()", "uuid", ":schema.ulid_monotonic()", true),
          new BenchMint(
              "ulid_text(ulid_monotonic())",
              "text",
              ":schema.ulid_text(:schema.ulid_monotonic())",
              true));

  /** Returns those that are measured, with functions of the user before ours. */
  static List<BenchMint> with(List<BenchMint> functions) {
    List<BenchMint> all = new ArrayList<>(STANDARD);
    all.addAll(2, functions);
    return List.copyOf(all);
  }
}
