package dev.mintmark.app.transfer;

import java.util.List;

/**
 * What an import would do, or has done.
 *
 * @param isDone whether values were claimed; otherwise it is a plan
 * @param lines how many lines with values there are
 * @param claimed values that would be claimed, or were
 * @param held values that their clients hold already
 * @param skipped lines that are not in use, or whose use has ended, or that a later line replaces
 * @param rejected lines that cannot be imported
 * @param rejections the first {@value #REJECTIONS_MAX} of them
 */
public record ImportReport(
    ImportFormat format,
    boolean isDone,
    long lines,
    long claimed,
    long held,
    long skipped,
    long rejected,
    List<Rejection> rejections) {
  /** The most rejections in a report. */
  public static final int REJECTIONS_MAX = 10_000;

  /**
   * A line that cannot be imported.
   *
   * @param line the number of the line, from 1
   * @param value the value; empty if the line has none
   */
  public record Rejection(int line, String value, String reason) {}
}
