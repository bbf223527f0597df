package dev.mintmark.app.cli.pack;

import dev.mintmark.postgres.pack.Pack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The statements of a measurement as files for psql, in the order in which they are run. */
final class BenchFiles {
  private final String schema = PackBench.newSchema();
  private final List<BenchMint> mints;
  private final BenchSql sql;

  BenchFiles(long rows, List<BenchMint> mints) {
    this.mints = List.copyOf(mints);
    this.sql = new BenchSql(schema, rows);
  }

  /** Writes the files into a directory, which is created, and returns their paths. */
  List<Path> write(Path directory) throws IOException {
    Files.createDirectories(directory);
    List<Path> files = new ArrayList<>();
    files.add(
        Files.writeString(
            directory.resolve("1-prepare.sql"),
            "-- Run it with psql -1: the pack needs one transaction.\n"
                + Pack.inSchema(schema).sql()
                + "\n"
                + sql.sequence()
                + ";\n"));
    StringBuilder generate = new StringBuilder("\\timing on\n");
    StringBuilder insert = new StringBuilder();
    for (BenchMint mint : mints) {
      generate.append(titled(mint)).append(sql.of("generate", mint)).append(";\n");
      insert
          .append(titled(mint))
          .append(statement(sql.of("create", mint)))
          .append("explain (analyze, timing off, wal)\n")
          .append(statement(sql.of("insert", mint)))
          .append(statement(sql.of("sizes", mint)))
          .append(statement(sql.of("fill", mint)))
          .append("set enable_mergejoin = off; set enable_nestloop = off;\n")
          .append("set max_parallel_workers_per_gather = 0;\n")
          .append("explain (analyze, timing off, buffers)\n")
          .append(statement(sql.of("join", mint)))
          .append("reset enable_mergejoin; reset enable_nestloop;\n")
          .append("reset max_parallel_workers_per_gather;\n")
          .append(statement(sql.of("drop", mint)));
    }
    files.add(Files.writeString(directory.resolve("2-generate.sql"), generate));
    files.add(Files.writeString(directory.resolve("3-insert-and-join.sql"), insert));
    files.add(
        Files.writeString(
            directory.resolve("4-drop.sql"), "drop schema " + schema + " cascade;\n"));
    return files;
  }

  private static String titled(BenchMint mint) {
    return "\n-- " + mint.name() + "\n";
  }

  private static String statement(String text) {
    return (text.endsWith(";") ? text : text + ";") + "\n";
  }
}
