package dev.mintmark.verify.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.stream.Collectors;

/**
 * Measures what mints and converts in SQL beside PostgreSQL's own and what others do, in one run
 * for each version of PostgreSQL, and prints a page: ratios, the targets and whether they are met.
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
      # Benchmarks in SQL

      What mints and converts in SQL beside what PostgreSQL has and what others do, in one session for each version. The numbers
      are ratios to `gen_random_uuid()`, for nanoseconds are the machine's: each is the least of all rounds against the least of
      `gen_random_uuid()`'s, and in brackets the lowest and the highest ratio of a single round. Rounds go through all of a table in
      turn, after one that is not counted: five rounds, three of the inserts of many rows.

      ```
      mvn -q -Psql-benchmarks -DskipTests -pl verify -am test
      ```

      measures all of it again and prints this page (`-Dsql-benchmarks.versions=14,16` and `-Dsql-benchmarks.rows=100000` for
      other versions and fewer rows; `-Dsql-benchmarks.write=FILE` writes the page to a file).

      Processor time is what the session's own process ran, where the machine tells (Linux), so that what else runs there counts
      little; elapsed time also has what it waited for, disks and other programs among it. Targets are for processor time.

      Beside ours, which are in the schema `mintmark`: `generate_ulid()` is the function of
      [ULIDs and Primary Keys](https://blog.daveallie.com/ulid-primary-keys), as published; `generate_ulid_text()` is a text by
      plpgsql, written in the manner of [pgulid](https://github.com/geckoboard/pgulid). Both take their random bytes from pgcrypto.
      `nextval('numbers')` is the default of a `bigserial`.

      Settings, the same for all: %s. The tables that are read were vacuumed before. The locale is C.
      """;

  private SqlBenchmarks() {}

  public static void main(String[] args) throws IOException, SQLException {
    if (args.length != 4) {
      throw new IllegalArgumentException("expected FILE VERSIONS ROWS BINARIES: " + args.length);
    }
    long rows = Long.parseLong(args[2]);
    StringBuilder page = new StringBuilder(INTRODUCTION.formatted(settings()));
    for (String version : args[1].split(",", -1)) {
      try (SqlServer server =
          SqlServer.start(Integer.parseInt(version.strip()), Path.of(args[3]))) {
        page.append('\n').append(new SqlMeasurements(server, rows).section());
      }
    }
    System.out.println(page);
    Files.writeString(Path.of(args[0]), page);
  }

  private static String settings() {
    return SqlServer.SETTINGS.entrySet().stream()
        .map(setting -> "`%s = %s`".formatted(setting.getKey(), setting.getValue()))
        .collect(Collectors.joining(", "));
  }
}
