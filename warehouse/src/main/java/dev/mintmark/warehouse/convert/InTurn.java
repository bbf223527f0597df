package dev.mintmark.warehouse.convert;

import java.io.IOException;
import java.util.List;

/**
 * Receives rows in the order of the input: writes the output, reports rejects, and counts all rows
 * of the run.
 */
final class InTurn extends RowTarget {
  private final RejectSink rejects;

  InTurn(ByteSink out, RejectSink rejects) {
    super(out, rejects.isAside());
    this.rejects = rejects;
  }

  @Override
  boolean reject(List<String> reasons, byte[] bytes, int from, int next) throws IOException {
    return rejects.reject(line(), reasons, bytes, from, next);
  }
}
