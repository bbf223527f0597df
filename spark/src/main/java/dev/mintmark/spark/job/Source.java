package dev.mintmark.spark.job;

import java.util.List;
import java.util.OptionalInt;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;

/** What is read: files, or a table. */
interface Source {
  /** Most parts that a plan has when their number is left to us. */
  int PARTS_MAX = 1000;

  /**
   * What is read, where the arguments may come to mean something else: a table without a schema is
   * found by the settings of its reader.
   */
  String origin();

  /** The columns, as they are now. */
  StructType schema();

  /** Divides what is there now into parts. */
  List<Part> divide(OptionalInt parts);

  /**
   * Checks that the parts of a plan that was made earlier are still those of this source.
   *
   * @throws IllegalArgumentException if it has changed, with what has
   */
  void checkUnchanged(Plan plan);

  /**
   * The rows of a part, each once. What could not be read as a row has its text in the column
   * {@link Conversion#RECORD}, if the source has such.
   */
  Dataset<Row> read(Plan plan, Part part);
}
