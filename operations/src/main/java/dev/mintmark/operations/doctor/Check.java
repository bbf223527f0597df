package dev.mintmark.operations.doctor;

import java.util.Locale;

/** What the doctor looks for, in the order in which findings of one severity are reported. */
public enum Check {
  /** The next number of a sequence is in its column already. */
  SEQUENCE_BEHIND(
      "a sequence gives numbers that are below the greatest one of its column",
      "critical where the next number is taken and the column is unique, else warning"),
  /** Numbers that are nearly used up. */
  KEY_RUNS_OUT(
      "a key of numbers, or a sequence, is near the end of its type or its maximum",
      "critical from 90 % used on, warning from 60 %"),
  /** A column that cannot hold what it refers to. */
  NARROW_REFERENCE(
      "a foreign key is of a narrower type than what it refers to",
      "warning; critical once the target has used 90 % of the narrower type"),
  /** A sequence and its column end at different numbers. */
  SEQUENCE_WIDTH(
      "a sequence ends before its column does, or goes on after it",
      "warning where it ends before, notice where it goes on"),
  /** Identifiers that were given to all rows at once. */
  SHARED_IDS(
      "a default that mints, and many rows with one value",
      "warning where 1 % of the rows have it, or rows from before the column was added"),
  /** Mints that are constant within a transaction. */
  FROZEN_DEFAULT(
      "a default that makes identifiers of now(), which is constant within a transaction",
      "warning"),
  /** Mints that PostgreSQL may call once for many rows. */
  STABLE_MINT("a default that mints with a function declared stable or immutable", "warning"),
  /** Defaults that differ from the catalog. */
  MINT_DRIFT(
      "a default that does not mint as the catalog declares (mint, order), or none where the catalog"
          + " does not declare who mints",
      "warning with mint: server, else notice"),
  /** Whole numbers that JavaScript rounds. */
  BEYOND_JAVASCRIPT(
      "a bigint key has values that a JavaScript number cannot hold", "warning above 2^53-1"),
  /** Indexes that are no use. */
  INVALID_INDEX("an index that is not valid, left by something that failed", "warning"),
  /** Constraints that do not hold for all rows. */
  UNVALIDATED_CONSTRAINT(
      "a foreign key, or a condition on a key, that old rows were not checked against",
      "warning for a foreign key, else notice"),
  /** References without an index. */
  UNINDEXED_REFERENCE(
      "a foreign key whose columns no index begins with",
      "warning from 10,000 rows on, else notice"),
  /** Identifiers of 128 bits as characters. */
  TEXT_IDS(
      "ULIDs or UUIDs kept as text, with the columns that refer to them",
      "warning from 10,000 rows on, else notice"),
  /** Keys that are written all over the index. */
  RANDOM_KEYS(
      "a key of random UUIDs (version 4) of a large table", "warning from 1,000,000 rows on"),
  /** Defaults that make a table be written anew. */
  REWRITING_DEFAULT(
      "a volatile function in the defaults of a large table: a column added with it rewrites the"
          + " table under ACCESS EXCLUSIVE",
      "notice from 1 GiB on"),
  /** Columns that are called ids. */
  LOOSE_IDS("columns are named like an id, but nothing makes them one", "notice");

  private final String summary;
  private final String threshold;

  Check(String summary, String threshold) {
    this.summary = summary;
    this.threshold = threshold;
  }

  /** How it is written: {@code text-ids}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** What it looks for. */
  public String summary() {
    return summary;
  }

  /** From when on it finds something, and how bad that is. */
  public String threshold() {
    return threshold;
  }
}
