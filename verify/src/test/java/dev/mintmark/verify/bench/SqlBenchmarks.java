package dev.mintmark.verify.bench;

import dev.mintmark.fixtures.bench.BenchmarkPage;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.stream.Collectors;

/**
 * Measures the SQL pack, PostgreSQL's own functions and other SQL functions, in one run for each
 * version of PostgreSQL, and prints a page: ratios, the targets and whether they are met.
 *
 * <pre>
 *   SqlBenchmarks FILE VERSIONS ROWS BINARIES    /dev/null 15,18 1000000 verify/target/postgresql
 * </pre>
 *
 * The page goes to FILE besides; BINARIES is where the versions lie that are not on the class path.
 */
public final class SqlBenchmarks {
  private static final String INTRODUCTION =
      """
      # Benchmarks of the SQL pack

      The mints and conversions of the SQL pack are compared with PostgreSQL's own functions and with other SQL functions, in one session
      for each version. Figures are ratios to `gen_random_uuid()`, because nanoseconds depend on the machine: the least time of all
      rounds divided by the least time of `gen_random_uuid()`, and in brackets the lowest and the highest ratio of a single round. Each
      round runs all lines of a table. The first round is not counted; five follow, or three for the inserts of many rows.

      To measure everything again and print this page, run

      ```
      mvn -q -Psql-benchmarks -DskipTests -pl verify -am test
      ```

      `-Dsql-benchmarks.versions=14,16` and `-Dsql-benchmarks.rows=100000` select other versions and fewer rows;
      `-Dsql-benchmarks.write=FILE.md` writes the page to a file, and its chart and its figures to `FILE.svg` and `FILE.json`.

      %s
      Processor time is the time that the process of the session ran, if the machine reports it (Linux), so other programs have little
      effect. Elapsed time includes waits, for disks and other programs among them. Targets apply to processor time.

      The functions of the pack are in the schema `mintmark`. `generate_ulid()` is the function of
      [ULIDs and Primary Keys](https://blog.daveallie.com/ulid-primary-keys), as published. `generate_ulid_text()` returns text, and is
      PL/pgSQL in the style of [pgulid](https://github.com/geckoboard/pgulid). Both take their random bytes from pgcrypto.
      `nextval('numbers')` is the default of a `bigserial`.

      Settings of PostgreSQL: %s. Tables were vacuumed before they were read. The locale is C.
      """;

  private SqlBenchmarks() {}

  public static void main(String[] args) throws IOException, SQLException {
    if (args.length != 4) {
      throw new IllegalArgumentException("expected FILE VERSIONS ROWS BINARIES: " + args.length);
    }
    long rows = Long.parseLong(args[2]);
    StringBuilder page =
        new StringBuilder(INTRODUCTION.formatted(BenchmarkPage.SQL.links(), settings()));
    for (String version : args[1].split(",", -1)) {
      try (SqlServer server =
          SqlServer.start(Integer.parseInt(version.strip()), Path.of(args[3]))) {
        page.append('\n').append(new SqlMeasurements(server, rows).section());
      }
    }
    System.out.println(page);
    BenchmarkPage.SQL.write(Path.of(args[0]), page);
  }

  private static String settings() {
    return SqlServer.SETTINGS.entrySet().stream()
        .map(setting -> "`%s = %s`".formatted(setting.getKey(), setting.getValue()))
        .collect(Collectors.joining(", "));
  }
}
