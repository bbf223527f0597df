package dev.mintmark.spark.job;

import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;

/** The source of rows: files or a table. */
interface Source {
  /** The maximum number of parts if the job chooses their number. */
  int PARTS_MAX = 1000;

  /**
   * Returns the full name of the input. The arguments may not be unique: the settings of a
   * connection resolve the name of a table without a schema.
   */
  String origin();

  /** Returns the current columns. */
  StructType schema();

  /** Divides the current rows into parts. */
  List<Part> divide(OptionalInt parts);

  /**
   * Checks that the parts of an earlier plan are still parts of this source.
   *
   * @throws IllegalArgumentException if the source has changed; the message has the change
   */
  void checkUnchanged(Plan plan);

  /**
   * Returns the rows of a part, each row once. The column {@link PartConversion#RECORD}, if the
   * source has it, is the text of a record that cannot be read as a row.
   *
   * @throws JobException if the source no longer has the columns of the plan
   */
  Dataset<Row> read(Plan plan, Part part);

  /**
   * Returns whether a converted row may contain other rows of the part, so that {@link #checkRead}
   * must search for them.
   */
  Column isSuspect(Plan plan);

  /**
   * Checks a part that was read.
   *
   * @param hasSuspects whether it has rows that are suspect
   * @throws JobException if it has changed since the plan was created, or if a row contains others
   */
  void checkRead(Part part, boolean hasSuspects) throws IOException;

  /**
   * Checks the source after all parts were read.
   *
   * @throws JobException if it has changed since the plan was created
   */
  void checkAllRead(Plan plan) throws IOException;
}
