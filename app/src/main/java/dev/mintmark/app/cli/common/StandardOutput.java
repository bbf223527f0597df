package dev.mintmark.app.cli.common;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Stdout that keeps its exception: a {@link java.io.PrintWriter} reports only that one occurred.
 */
public final class StandardOutput extends OutputStream {
  /** The name of stdout in a {@link FileException}. */
  public static final String NAME = "stdout";

  private final OutputStream out;
  private Optional<FileException> failure = Optional.empty();

  public StandardOutput() {
    this(new FileOutputStream(FileDescriptor.out));
  }

  StandardOutput(OutputStream out) {
    this.out = out;
  }

  /** The root command, which holds the stream for results that are bytes. */
  public interface Bytes {
    /** Stdout, unbuffered. */
    OutputStream bytes();
  }

  /** Returns stdout for a command that writes bytes. The command must not use its writer. */
  public static OutputStream bytesOf(CommandSpec command) {
    return ((Bytes) command.root().userObject()).bytes();
  }

  /** Returns why output was lost; empty also after a broken pipe, which is not a failure. */
  public Optional<FileException> failure() {
    return failure.filter(e -> !e.isOfBrokenPipe(NAME));
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int count) throws IOException {
    try {
      out.write(bytes, from, count);
    } catch (IOException e) {
      failure = Optional.of(new FileException(NAME, e));
      throw e;
    }
  }
}
