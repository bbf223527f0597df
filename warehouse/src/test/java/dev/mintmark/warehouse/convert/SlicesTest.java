package dev.mintmark.warehouse.convert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Form;
import dev.mintmark.Transcoder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SlicesTest {
  /** On Java 25, a thread outside of any pool would also wait for a thread of the common pool. */
  @Test
  void noThreadIsWaitedForThatIsBusyForOthers() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    ForkJoinPool common = ForkJoinPool.commonPool();
    List<ForkJoinTask<Boolean>> others =
        IntStream.range(0, common.getParallelism())
            .mapToObj(i -> common.submit(() -> over.await(2, TimeUnit.MINUTES)))
            .toList();
    ForkJoinPool pool = new ForkJoinPool(1);
    Conversion conversion =
        LineConversion.of(Transcoder.to(Form.TEXT)).with(new Buffers(1 << 16, 4));
    String input = "017fe093-7adf-9932-aaaa-01fd0ba14d3f\n".repeat(10_000);

    try {
      Run inPool = pool.submit(() -> Run.inPlace(conversion, input)).get(1, TimeUnit.MINUTES);
      Run outside =
          CompletableFuture.supplyAsync(
                  () -> Run.inPlace(conversion, input), task -> new Thread(task).start())
              .get(1, TimeUnit.MINUTES);

      assertThat(inPool.outcome().rows()).isEqualTo(10_000);
      assertThat(outside).isEqualTo(inPool);
    } finally {
      over.countDown();
      others.forEach(ForkJoinTask::quietlyJoin);
      pool.shutdown();
    }
  }

  /** The serial collector reports a smaller maximum heap: 61.9 MiB of 64, and 123.8 of 128. */
  @Test
  void slicesAreAsManyAsTheHeapWasMadeFor() {
    assertThat(Buffers.of(16, 64_880_640).slices()).isEqualTo(4);
    assertThat(Buffers.of(16, 129_761_280).slices()).isEqualTo(8);
    assertThat(Buffers.of(16, 1L << 34).slices()).isEqualTo(8);
    assertThat(Buffers.of(2, 1L << 34).slices()).isEqualTo(2);
    assertThat(Buffers.of(16, 1 << 20).slices()).isEqualTo(1);
  }

  @Test
  void whatASliceBecomesIsCollectedOnlyUpToALimit() throws IOException {
    List<Widened> plain = new ArrayList<>();
    Slices slices =
        new Slices(
            new Buffers(200, 2),
            () -> {
              Widened rows = new Widened();
              plain.add(rows);
              return rows;
            });
    byte[] bytes = new byte[200];
    Arrays.fill(bytes, (byte) '\n');
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteSink sink = new ByteSink(out, 1);

    slices.begin(bytes, 0, bytes.length);
    slices.end();
    int collected = plain.get(1).rows;
    slices.begin(bytes, 0, bytes.length);
    int rows = slices.convert(bytes, 0, bytes.length, 0, sink);
    int taken = slices.start();
    rows += slices.convert(bytes, taken, bytes.length, taken, sink);

    assertThat((long) collected * Widened.WIDTH)
        .isBetween((long) Slices.OUTPUT_MAX, (long) Slices.OUTPUT_MAX + Widened.WIDTH);
    assertThat(taken).isEqualTo(101 + collected);
    assertThat(rows).isEqualTo(bytes.length);
    assertThat(out.size()).isEqualTo(bytes.length * Widened.WIDTH);
  }

  /** Rows of one byte with an output of many bytes. */
  private static final class Widened extends PlainRows {
    static final int WIDTH = 1 << 17;
    private static final byte[] WIDE = new byte[WIDTH];
    int rows;

    @Override
    int convert(byte[] bytes, int from, int end, ByteSink sink) throws IOException {
      rows++;
      sink.put(WIDE, 0, WIDTH);
      copiedTo(from + 1);
      return from + 1;
    }
  }
}
