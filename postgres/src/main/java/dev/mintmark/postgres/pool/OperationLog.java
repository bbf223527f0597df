package dev.mintmark.postgres.pool;

import dev.mintmark.postgres.pool.Operation.Answer;
import dev.mintmark.postgres.pool.Operation.Call;
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
 * Records what is asked of allocators and what they answer, in memory or in a file.
 *
 * <p>In a file each operation has two {@linkplain OperationText lines}: one written before it is
 * sent and one after its answer came, each handed to the operating system before work goes on. So a
 * process that is killed leaves a log that is true: what it had sent without an answer stands there
 * as such. {@link System#nanoTime} counts alike in all processes of a machine (on Linux and macOS),
 * so that the logs of several can be judged together. Safe for use by many threads.
 */
final class OperationLog implements AutoCloseable {
  private final Queue<Operation> operations = new ConcurrentLinkedQueue<>();
  private final Optional<FileChannel> file;
  private final AtomicLong ids = new AtomicLong();

  private OperationLog(Optional<FileChannel> file) {
    this.file = file;
  }

  static OperationLog inMemory() {
    return new OperationLog(Optional.empty());
  }

  /** Creates the file, which must not be there yet. */
  static OperationLog writing(Path path) {
    try {
      return new OperationLog(
          Optional.of(
              FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The operations of a file, whether its process came to its end or was killed. */
  static List<Operation> read(Path path) {
    Map<Long, Operation> operations = new HashMap<>();
    try {
      String text = Files.readString(path);
      // A line that was cut off was not followed by what it announces, nor was its answer used.
      text.substring(0, text.lastIndexOf('\n') + 1)
          .lines()
          .map(OperationText::parse)
          .forEach(line -> operations.merge(line.id(), line.operation(), Operation::answeredBy));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return List.copyOf(operations.values());
  }

  /** Does what is asked and records it; what is thrown is an unknown outcome. */
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

  /** What was recorded in memory so far. */
  List<Operation> operations() {
    return List.copyOf(operations);
  }

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
