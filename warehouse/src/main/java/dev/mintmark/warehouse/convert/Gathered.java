package dev.mintmark.warehouse.convert;

import java.util.ArrayList;
import java.util.List;

/**
 * Gathers in memory what rows become before it is their turn. Rejects are not reported but
 * remembered: their lines are counted from the first of these rows, and their bytes remain in the
 * input.
 */
final class Gathered extends RowTarget {
  /** The memory that a reject takes besides the characters of its reasons, in bytes. */
  private static final int REJECT_SIZE = 200;

  private final int outputMax;
  private final List<Rejected> rejects = new ArrayList<>();
  private int rejectsSize;

  /**
   * A rejected row.
   *
   * @param line its line, counted from 1 at the first of these rows
   * @param from its start in the input
   * @param next the start of the next row in the input
   * @param written the length of the output before it
   */
  record Rejected(long line, List<String> reasons, int from, int next, int written) {}

  /**
   * @param size the initial size of the output in bytes
   * @param outputMax the size in bytes at which the output is full; remembered rejects are full at
   *     the same size
   */
  Gathered(int size, int outputMax, boolean isAside) {
    super(ByteSink.inMemory(size), isAside);
    this.outputMax = outputMax;
  }

  @Override
  void clear() {
    super.clear();
    out().clear();
    rejects.clear();
    rejectsSize = 0;
  }

  /** Returns the array of the output. */
  byte[] bytes() {
    return out().bytes();
  }

  /** Returns the length of the output in bytes. */
  int length() {
    return out().at();
  }

  /** Returns the rejected rows. */
  List<Rejected> rejects() {
    return rejects;
  }

  /** Returns whether no further row should be added before {@link #clear}. */
  boolean isFull() {
    return out().at() >= outputMax || rejectsSize >= outputMax;
  }

  @Override
  boolean reject(List<String> reasons, byte[] bytes, int from, int next) {
    rejects.add(new Rejected(line(), reasons, from, next, length()));
    rejectsSize += REJECT_SIZE + reasons.stream().mapToInt(String::length).sum();
    return true;
  }
}
