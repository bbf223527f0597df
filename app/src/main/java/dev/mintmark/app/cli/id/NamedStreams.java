package dev.mintmark.app.cli.id;

import dev.mintmark.app.cli.common.FileException;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Streams whose exceptions name the file. */
final class NamedStreams {
  private NamedStreams() {}

  /** Returns a stream that fails with {@link FileException}s. */
  static InputStream reading(String name, InputStream in) {
    return new FilterInputStream(in) {
      @Override
      public int read(byte[] bytes, int from, int count) {
        try {
          return in.read(bytes, from, count);
        } catch (IOException e) {
          throw new FileException(name, e);
        }
      }
    };
  }

  /** Returns a stream that fails with {@link FileException}s. */
  static OutputStream writing(String name, OutputStream out) {
    return new FilterOutputStream(out) {
      @Override
      public void write(byte[] bytes, int from, int count) {
        try {
          out.write(bytes, from, count);
        } catch (IOException e) {
          throw new FileException(name, e);
        }
      }

      @Override
      public void flush() {
        try {
          out.flush();
        } catch (IOException e) {
          throw new FileException(name, e);
        }
      }
    };
  }
}
