package dev.mintmark.testkit;

import dev.mintmark.testkit.Operation.Answer;
import dev.mintmark.testkit.Operation.Call;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Records the calls of allocators and their answers, in memory or in a file.
 *
 * <p>In a file each operation has two lines: one is written before the call is sent and one after
 * the answer arrived, each passed to the operating system before work continues. So the log of a
 * process that is killed is true: a call without an answer is in it as such. {@link
 * System#nanoTime} counts alike in all processes of a machine (on Linux and macOS), so the logs of
 * several processes can be judged together. Safe for use by many threads.
 */
public final class OperationLog implements AutoCloseable {
  private final Queue<Operation> operations = new ConcurrentLinkedQueue<>();
  private final Optional<FileChannel> file;
  private final AtomicLong ids = new AtomicLong();

  private OperationLog(Optional<FileChannel> file) {
    this.file = file;
  }

  /** A log in memory. */
  public static OperationLog inMemory() {
    return new OperationLog(Optional.empty());
  }

  /**
   * A log in a new file.
   *
   * @throws UncheckedIOException if the file exists or cannot be written
   */
  public static OperationLog writing(Path path) {
    try {
      return new OperationLog(
          Optional.of(
              FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads the operations of a file, whether its process ended or was killed.
   *
   * @throws UncheckedIOException if the file cannot be read
   */
  public static List<Operation> read(Path path) {
    Map<Long, Operation> operations = new HashMap<>();
    try {
      String text = Files.readString(path);
      // An incomplete last line: its call was not sent, or its answer was not used.
      text.substring(0, text.lastIndexOf('\n') + 1)
          .lines()
          .map(OperationText::parse)
          .forEach(line -> operations.merge(line.id(), line.operation(), Operation::answeredBy));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return List.copyOf(operations.values());
  }

  /** Makes a call and records it. An exception is recorded as {@link Answer.Unknown}. */
  Answer record(String instance, Call call, Supplier<Answer> work) {
    long id = ids.incrementAndGet();
    Operation sent = Operation.sent(instance, call, System.nanoTime());
    write(() -> OperationText.sent(id, sent));
    Answer answer;
    try {
      answer = work.get();
    } catch (RuntimeException e) {
      answer = new Answer.Unknown(e.toString());
    }
    Operation done = sent.answered(System.nanoTime(), answer);
    if (file.isEmpty()) {
      operations.add(done);
    } else if (done.isAnswered()) {
      write(() -> OperationText.answered(id, done));
    }
    return answer;
  }

  /** The operations recorded in memory so far. Empty for a log in a file. */
  public List<Operation> operations() {
    return List.copyOf(operations);
  }

  /** Closes the file. */
  @Override
  public void close() {
    if (file.isPresent()) {
      try {
        file.get().close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void write(Supplier<String> line) {
    if (file.isPresent()) {
      byte[] bytes = (line.get() + "\n").getBytes(StandardCharsets.UTF_8);
      try {
        write(file.get(), ByteBuffer.wrap(bytes));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private synchronized void write(FileChannel channel, ByteBuffer line) throws IOException {
    while (line.hasRemaining()) {
      channel.write(line);
    }
  }
}
