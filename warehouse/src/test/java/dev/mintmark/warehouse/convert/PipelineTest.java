package dev.mintmark.warehouse.convert;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.Form;
import dev.mintmark.IdReader;
import dev.mintmark.Transcoder;
import dev.mintmark.Ulid;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class PipelineTest {
  private static final String UUID = "017fe093-7adf-9932-aaaa-01fd0ba14d3f";
  private static final String TEXT = "01FZG96YPZK4SANAG1ZM5T2K9Z";
  private static final LineConversion TO_TEXT = LineConversion.of(Transcoder.to(Form.TEXT));

  /** One thread with everything in one slice. */
  private static final Slicing WHOLE = new Slicing(1 << 16, 1);

  private static final Slicing MANY = new Slicing(1 << 10, 4);

  @TempDir Path directory;

  @AfterEach
  void noThreadIsLeftBehind() {
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .noneMatch(name -> name.startsWith("mintmark-convert-"));
  }

  /** What a conversion wrote and reported. */
  private record Result(String output, String kept, List<String> reported, Object outcome) {}

  @Property(tries = 400)
  @Tag("slow")
  void theResultIsTheSameInAllSlices(
      @ForAll long seed,
      @ForAll @IntRange(min = 3, max = 300) int sliceSize,
      @ForAll @IntRange(min = 1, max = 5) int threads)
      throws IOException {
    Random random = new Random(seed);
    boolean isCsv = random.nextBoolean();
    Transcoder transcoder =
        random.nextBoolean()
            ? Transcoder.to(Form.TIME)
            : Transcoder.of(IdReader.ranked(), Form.BIN);
    String input = isCsv ? "n,id\n" + records(random) : lines(random);
    boolean isAside = random.nextBoolean();
    int rejectsMax = random.nextInt(6);

    Result whole = result(conversion(isCsv, transcoder, WHOLE), input, isAside, rejectsMax, 0);
    Result sliced =
        result(
            conversion(isCsv, transcoder, new Slicing(sliceSize, threads)),
            input,
            isAside,
            rejectsMax,
            random.nextInt(3));

    assertThat(sliced).isEqualTo(whole);
  }

  private static Conversion conversion(boolean isCsv, Transcoder transcoder, Slicing slicing) {
    return isCsv
        ? CsvConversion.of(transcoder, List.of("id")).build().with(slicing)
        : LineConversion.of(transcoder).with(slicing);
  }

  private static String lines(Random random) {
    StringBuilder lines = new StringBuilder(random.nextInt(4) == 0 ? "\uFEFF" : "");
    for (int i = random.nextInt(60); i > 0; i--) {
      lines.append(random.nextInt(8) == 0 ? "bad" : id(random));
      lines.append(random.nextBoolean() ? "\n" : "\r\n");
    }
    return lines.append(random.nextBoolean() ? id(random) : "").toString();
  }

  private static String records(Random random) {
    StringBuilder records = new StringBuilder();
    for (int i = random.nextInt(60); i > 0; i--) {
      switch (random.nextInt(10)) {
        case 0 -> records.append("1,bad\n");
        case 1 -> records.append("\"a\n1,").append(id(random)).append("\n\",").append(id(random));
        case 2 -> records.append("\"a\"\"\n\"\"\",\"").append(id(random)).append("\"\r\n");
        case 3 -> records.append(random.nextInt(9) == 0 ? "1,2,3\n" : "\n");
        default -> records.append(random.nextInt(1000)).append(',').append(id(random)).append('\n');
      }
    }
    return records.toString();
  }

  private static String id(Random random) {
    return Form.UUID.write(Ulid.of(random.nextLong(), random.nextLong()));
  }

  /** Returns what a conversion does that stops at a reject, or its failure. */
  private static Result result(
      Conversion conversion, String input, boolean isAside, int rejectsMax, int kindOfOutput)
      throws IOException {
    Path file = Files.createTempFile("mintmark-", ".out");
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    ByteArrayOutputStream kept = new ByteArrayOutputStream();
    List<String> reported = Collections.synchronizedList(new ArrayList<>());
    Rejects rejects =
        isAside
            ? new Rejects.Aside(() -> kept)
            : new Rejects.InPlace(
                reject -> {
                  reported.add(reject.toString());
                  return reported.size() < rejectsMax;
                });
    Object outcome;
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      Output output =
          switch (kindOfOutput) {
            case 0 -> new Output.Stream(stream);
            case 1 -> new Output.File(channel);
            default -> new Output.Gzip(new Output.File(channel));
          };
      outcome = conversion.convert(bytes(input), output, rejects, (read, rows) -> {});
      assertThat(kindOfOutput == 0 ? 0 : channel.size()).isEqualTo(channel.position());
    } catch (ConversionException e) {
      return new Result("", "", reported, String.valueOf(e.getMessage()));
    } finally {
      if (kindOfOutput > 0) {
        stream.write(Files.readAllBytes(file));
      }
      Files.delete(file);
    }
    byte[] written = kindOfOutput == 2 ? unzipped(stream.toByteArray()) : stream.toByteArray();
    return new Result(new String(written, UTF_8), kept.toString(UTF_8), reported, outcome);
  }

  @Test
  void severalThreadsWriteAFileInTheOrderOfTheInput() throws IOException {
    Path file = directory.resolve("out");
    Thread caller = Thread.currentThread();
    CompletableFuture<String> helper = new CompletableFuture<>();
    String input = numbered(50_000);
    InputStream in =
        new FilterInputStream(bytes(input)) {
          @Override
          public int read(byte[] bytes, int from, int count) throws IOException {
            if (Thread.currentThread() != caller) {
              helper.complete(Thread.currentThread().getName());
            }
            return super.read(bytes, from, count);
          }
        };

    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      TO_TEXT
          .with(MANY)
          .convert(
              in,
              new Output.File(channel),
              stopping(),
              (read, rows) -> {
                // The caller leaves some of the input to another thread, however slowly that
                // starts.
                if (read > 4L * MANY.size()) {
                  helper.orTimeout(1, TimeUnit.MINUTES).join();
                }
              });
    }

    assertThat(Files.readString(file)).isEqualTo(Run.inPlace(TO_TEXT.with(WHOLE), input).output());
    assertThat(helper.join()).startsWith("mintmark-convert-");
  }

  @Test
  void gzipIsOneMemberAfterTheOther() throws IOException {
    String input = numbered(200_000);
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    TO_TEXT
        .with(new Slicing(1 << 18, 3))
        .convert(
            bytes(input), new Output.Gzip(new Output.Stream(out)), stopping(), (read, rows) -> {});

    assertThat(members(out.toByteArray())).isGreaterThan(10);
    assertThat(new String(unzipped(out.toByteArray()), UTF_8))
        .isEqualTo(Run.inPlace(TO_TEXT.with(WHOLE), input).output());
  }

  @Test
  void smallSlicesShareAMember() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    TO_TEXT
        .with(MANY)
        .convert(
            bytes(numbered(20_000)),
            new Output.Gzip(new Output.Stream(out)),
            stopping(),
            (read, rows) -> {});

    assertThat(members(out.toByteArray())).isEqualTo(1);
  }

  @Test
  void nothingIsAMemberToo() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    TO_TEXT.convert(
        bytes(""), new Output.Gzip(new Output.Stream(out)), stopping(), (read, rows) -> {});

    assertThat(unzipped(out.toByteArray())).isEmpty();
  }

  /** Helpers must not wait for input: the failure of another thread would wait for it, too. */
  @Test
  void onlyTheCallerReadsWhatMayBlock() throws IOException {
    List<String> readers = new ArrayList<>();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    AtomicInteger lines = new AtomicInteger();
    InputStream in =
        new InputStream() {
          @Override
          public int read() {
            throw new UnsupportedOperationException();
          }

          @Override
          public int read(byte[] bytes, int from, int count) {
            readers.add(Thread.currentThread().getName());
            assertThat(out.size()).isEqualTo(lines.get() * (TEXT.length() + 1));
            byte[] line = (UUID + "\n").getBytes(UTF_8);
            if (lines.get() == 2_000 || count < line.length) {
              return -1;
            }
            lines.incrementAndGet();
            System.arraycopy(line, 0, bytes, from, line.length);
            return line.length;
          }
        };

    TO_TEXT.with(new Slicing(64, 4)).convert(in, out, stopping());

    assertThat(lines).hasValue(2_000);
    assertThat(readers).containsOnly(Thread.currentThread().getName());
  }

  /** The slice before the last is written when the read after the last has failed. */
  @Test
  void whatWasReadBeforeAFailureIsWritten() {
    String input = numbered(5_000);
    Slicing slicing = new Slicing(10 * (UUID.length() + 1), 3);
    String output = Run.inPlace(TO_TEXT.with(WHOLE), input).output();
    CompletableFuture<Thread> failed = new CompletableFuture<>();
    InputStream in = broken(input, failed);
    ByteArrayOutputStream out =
        new ByteArrayOutputStream() {
          @Override
          public synchronized void write(byte[] bytes, int from, int count) {
            if (size() == output.length() - 2 * count) {
              awaitPause(failed.orTimeout(1, TimeUnit.MINUTES).join());
            }
            super.write(bytes, from, count);
          }
        };

    assertThatThrownBy(() -> TO_TEXT.with(slicing).convert(in, out, stopping()))
        .hasRootCauseMessage("broken");

    assertThat(out.toString(UTF_8)).isEqualTo(output);
  }

  /** Returns a stream that fails at its end. */
  private static InputStream broken(String input, CompletableFuture<Thread> failed) {
    return new ByteArrayInputStream(input.getBytes(UTF_8)) {
      @Override
      public synchronized int read(byte[] bytes, int from, int count) {
        int read = super.read(bytes, from, count);
        if (read < 0) {
          failed.complete(Thread.currentThread());
          throw new UncheckedIOException(new IOException("broken"));
        }
        return read;
      }

      @Override
      public synchronized int available() {
        return 1;
      }
    };
  }

  /** The read after the last slice has failed when that slice ends the run. */
  @Test
  void aRejectThatEndsTheRunComesBeforeALaterFailure() throws IOException {
    String bad = "x".repeat(UUID.length()) + "\n";
    String input = numbered(5_000) + bad;
    Slicing slicing = new Slicing(UUID.length() + 1, 3);
    CompletableFuture<Thread> failed = new CompletableFuture<>();
    InputStream in = broken(input, failed);
    Rejects rejects =
        new Rejects.InPlace(
            reject -> {
              awaitPause(failed.orTimeout(1, TimeUnit.MINUTES).join());
              return false;
            });

    Conversion.Outcome outcome =
        TO_TEXT.with(slicing).convert(in, OutputStream.nullOutputStream(), rejects);

    assertThat(outcome.stopped()).isTrue();
    assertThat(outcome)
        .isEqualTo(
            TO_TEXT.with(WHOLE).convert(bytes(input), OutputStream.nullOutputStream(), stopping()));
  }

  /** Waits until a thread waits or has ended. */
  private static void awaitPause(Thread thread) {
    while (thread.getState() != Thread.State.WAITING
        && thread.getState() != Thread.State.TERMINATED) {
      Thread.onSpinWait();
    }
  }

  @Test
  void aFailureToWriteEndsTheConversion() {
    AtomicInteger writes = new AtomicInteger();
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int value) {
            throw new UnsupportedOperationException();
          }

          @Override
          public void write(byte[] bytes, int from, int count) throws IOException {
            if (writes.incrementAndGet() == 20) {
              throw new IOException("full");
            }
          }
        };

    assertThatThrownBy(() -> TO_TEXT.with(MANY).convert(bytes(numbered(50_000)), full, stopping()))
        .isInstanceOf(IOException.class)
        .hasMessage("full");
    assertThat(writes).hasValue(20);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aFullDiskEndsTheConversion() throws IOException {
    try (FileChannel full = FileChannel.open(Path.of("/dev/full"), StandardOpenOption.WRITE)) {
      assertThatThrownBy(
              () ->
                  TO_TEXT
                      .with(MANY)
                      .convert(
                          bytes(numbered(50_000)),
                          new Output.File(full),
                          stopping(),
                          (read, rows) -> {}))
          .isInstanceOf(IOException.class)
          .hasMessage("No space left on device");
    }
  }

  @Test
  void anInterruptedThreadEndsTheConversion() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(
            () ->
                TO_TEXT
                    .with(MANY)
                    .convert(bytes(numbered(100)), OutputStream.nullOutputStream(), stopping()))
        .isInstanceOf(InterruptedIOException.class);

    assertThat(Thread.interrupted()).isTrue();
  }

  /** The serial collector reports a smaller maximum heap: 61.9 MiB of 64, and 123.8 of 128. */
  @Test
  void threadsAreAsManyAsTheHeapHasRoomFor() {
    assertThat(Slicing.of(16, 64_880_640).threads()).isEqualTo(7);
    assertThat(Slicing.of(16, 129_761_280).threads()).isEqualTo(16);
    assertThat(Slicing.of(2, 1L << 34).threads()).isEqualTo(2);
    assertThat(Slicing.of(16, 1 << 20).threads()).isEqualTo(1);
  }

  @Test
  void aSliceGathersOutputAndRejectsOnlyUpToALimit() throws IOException {
    Slicing slicing = new Slicing(1 << 16, 1);
    String wide = (UUID + "\n").repeat(slicing.size() / UUID.length() - 100);
    String bad = "x\n".repeat(slicing.size() / 2);

    Gathered output = gathered(slicing, wide, Form.BIN);
    Gathered rejects = gathered(slicing, bad, Form.TEXT);

    assertThat(output.isFull()).isTrue();
    assertThat(output.length()).isBetween(slicing.outputMax(), slicing.outputMax() + 132);
    assertThat(rejects.isFull()).isTrue();
    assertThat(rejects.rejects()).hasSizeLessThan(slicing.outputMax() / 200);
  }

  private static Gathered gathered(Slicing slicing, String input, Form form) throws IOException {
    SliceSource source = new SliceSource(bytes(input), slicing.size());
    try (Slice slice = new Slice(slicing, false, false)) {
      assertThat(source.read()).isTrue();
      source.moveTo(slice);
      slice.convertAhead(new LineFormat(Transcoder.to(form)));
      return slice.gathered();
    }
  }

  private static Rejects stopping() {
    return new Rejects.InPlace(reject -> false);
  }

  private static ByteArrayInputStream bytes(String text) {
    return new ByteArrayInputStream(text.getBytes(UTF_8));
  }

  /** Returns UUIDs, one per line, of which no two are equal. */
  private static String numbered(int count) {
    StringBuilder lines = new StringBuilder();
    IntStream.range(0, count)
        .forEach(i -> lines.append(UUID, 0, 28).append("%08x".formatted(i)).append('\n'));
    return lines.toString();
  }

  private static byte[] unzipped(byte[] bytes) throws IOException {
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
      return in.readAllBytes();
    }
  }

  /** Counts the members by their header, whose ten bytes are hardly ever anything else. */
  private static int members(byte[] bytes) {
    String header = "\u001f\u008b\b\0\0\0\0\0\0\u00ff";
    String text = new String(bytes, ISO_8859_1);
    return (text.length() - text.replace(header, "").length()) / header.length();
  }
}
