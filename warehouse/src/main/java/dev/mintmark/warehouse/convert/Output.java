package dev.mintmark.warehouse.convert;

import java.io.OutputStream;
import java.nio.channels.FileChannel;

/** Where a {@link Conversion} writes. It closes neither a stream nor a channel. */
public sealed interface Output {
  /**
   * A stream, which is written in order by one thread at a time, not always the same, and flushed
   * before a read of the input may block, and at the end.
   */
  record Stream(OutputStream out) implements Output {}

  /**
   * A regular file, from the position of its channel. Several threads write at the same time, each
   * at the place of its rows. At the end, the position is after what was written. If the conversion
   * fails, the file may have gaps.
   */
  record File(FileChannel channel) implements Output {}

  /**
   * Another output, compressed by gzip (RFC 1952) in parallel, as many members one after the other:
   * of one slice, or of several small ones. {@code zcat} and {@link java.util.zip.GZIPInputStream}
   * read all of them. The last of them is written at the end, not flushed before.
   */
  record Gzip(Output to) implements Output {
    public Gzip {
      if (to instanceof Gzip) {
        throw new IllegalArgumentException("the output is compressed already");
      }
    }
  }
}
