package dev.mintmark.warehouse.convert;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;

/**
 * Writes the slices of the output in order, and what comes between them. Used by one thread at a
 * time, except {@link #write(Slice, long)}.
 */
final class OrderedOutput extends OutputStream {
  /** The place of a slice that was written already. */
  static final long WRITTEN = -1;

  /** The most bytes that are written at a time, so that copied bytes stay in the cache. */
  private static final int WRITE_MAX = 1 << 18;

  private final Optional<OutputStream> stream;
  private final Optional<FileChannel> file;
  private final boolean gzip;
  private final GzipMember member = new GzipMember();

  /** What is not compressed yet. */
  private final ByteSink pending;

  /** The place of what follows in the file. */
  private long position;

  private boolean started;

  OrderedOutput(Output output) throws IOException {
    this.gzip = output instanceof Output.Gzip;
    Output raw = output instanceof Output.Gzip compressed ? compressed.to() : output;
    this.stream =
        raw instanceof Output.Stream written ? Optional.of(written.out()) : Optional.empty();
    this.file =
        raw instanceof Output.File written ? Optional.of(written.channel()) : Optional.empty();
    this.position = file.isPresent() ? file.get().position() : 0;
    this.pending = ByteSink.inMemory(gzip ? GzipMember.CONTENT_MIN : 0);
  }

  boolean isGzip() {
    return gzip;
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int count) throws IOException {
    if (!gzip) {
      append(bytes, from, count);
      return;
    }
    for (int at = from; at < from + count; ) {
      int part = Math.min(from + count - at, GzipMember.CONTENT - pending.at());
      pending.put(bytes, at, at + part);
      at += part;
      if (pending.at() == GzipMember.CONTENT) {
        appendPending();
      }
    }
  }

  /**
   * Returns the place of the output of a slice, where the caller must {@linkplain #write(Slice,
   * long) write} it, or {@link #WRITTEN}.
   */
  long place(Slice slice) throws IOException {
    if (gzip && !slice.isPacked()) {
      write(slice.output(), 0, slice.outputLength());
      return WRITTEN;
    }
    appendPending();
    if (file.isEmpty()) {
      append(slice.output(), 0, slice.outputLength());
      return WRITTEN;
    }
    long place = position;
    position += slice.outputLength();
    started = true;
    return place;
  }

  /** Writes the output of a slice to its place. Several threads may do so at the same time. */
  void write(Slice slice, long place) throws IOException {
    if (place != WRITTEN) {
      write(file.orElseThrow(), slice.output(), 0, slice.outputLength(), place);
    }
  }

  private void appendPending() throws IOException {
    if (pending.at() > 0) {
      member.compress(pending.bytes(), pending.at());
      pending.clear();
      append(member.bytes(), 0, member.length());
    }
  }

  private void append(byte[] bytes, int from, int count) throws IOException {
    started = true;
    if (stream.isPresent()) {
      stream.get().write(bytes, from, count);
    } else {
      write(file.orElseThrow(), bytes, from, count, position);
      position += count;
    }
  }

  private static void write(FileChannel file, byte[] bytes, int from, int count, long place)
      throws IOException {
    ByteBuffer rest = ByteBuffer.wrap(bytes);
    for (int at = from; at < from + count; ) {
      rest.limit(Math.min(from + count, at + WRITE_MAX)).position(at);
      at += file.write(rest, place + (at - from));
    }
  }

  @Override
  public void flush() throws IOException {
    if (stream.isPresent()) {
      stream.get().flush();
    }
  }

  /** Writes everything. */
  void finish() throws IOException {
    appendPending();
    if (gzip && !started) {
      member.compress(new byte[0], 0); // An empty file is not gzip.
      append(member.bytes(), 0, member.length());
    }
    flush();
    if (file.isPresent()) {
      file.get().position(position);
    }
  }

  @Override
  public void close() {
    member.close();
  }
}
