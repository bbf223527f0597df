package dev.mintmark.app.cli.common;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/** Stdout, which remembers what went wrong: a writer over it says only that something did. */
public final class StandardOutput extends OutputStream {
  private final OutputStream out;
  private Optional<FileException> failure = Optional.empty();

  public StandardOutput() {
    this(new FileOutputStream(FileDescriptor.out));
  }

  StandardOutput(OutputStream out) {
    this.out = out;
  }

  /** The root of the commands, which knows where results go that are bytes. */
  public interface Bytes {
    /** Stdout, unbuffered. */
    OutputStream bytes();
  }

  /** Stdout for a command that writes bytes; its own writer then stays unused. */
  public static OutputStream bytesOf(CommandSpec command) {
    return ((Bytes) command.root().userObject()).bytes();
  }

  /** Why not everything was written; empty where nobody reads on, which is no failure of ours. */
  public Optional<FileException> failure() {
    return failure.filter(e -> !e.isOfBrokenPipe());
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
      failure = Optional.of(new FileException("stdout", e));
      throw e;
    }
  }
}
