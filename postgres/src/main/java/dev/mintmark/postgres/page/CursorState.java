package dev.mintmark.postgres.page;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a cursor remembers, by the order that it is of. */
sealed interface CursorState {
  /**
   * In an order by minted ids.
   *
   * @param clocks the latest time at which each server was read, in milliseconds since 1970; one of
   *     them but for merged pages
   */
  record Clock(Gap gap, List<Long> clocks) implements CursorState {}

  /**
   * In an order by transactions.
   *
   * @param floor what was had already by id when the order was changed, and is not given again
   */
  record Horizon(Gap gap, Optional<Gap> floor) implements CursorState {}

  /**
   * In an order by windows.
   *
   * @param seen up to where all was given
   * @param until up to where the present window goes; none is open where it is empty
   */
  record Window(Gap gap, Snapshot seen, Optional<Snapshot> until) implements CursorState {}

  /** In an order without a guarantee. */
  record Plain(Gap gap) implements CursorState {}

  /** The place in the order. */
  Gap gap();

  /** Writes it as bytes. */
  default void write(DataOutput out) throws IOException {
    if (this instanceof Clock clock) {
      out.writeByte('c');
      writeGap(out, clock.gap());
      writeNumber(out, clock.clocks().size());
      for (long millis : clock.clocks()) {
        writeNumber(out, millis);
      }
    } else if (this instanceof Horizon horizon) {
      out.writeByte('h');
      writeGap(out, horizon.gap());
      writeGap(out, horizon.floor().orElse(Gap.START));
    } else if (this instanceof Window window) {
      out.writeByte('w');
      writeGap(out, window.gap());
      writeSnapshot(out, window.seen());
      writeSnapshot(out, window.until().orElse(Snapshot.NOTHING));
    } else if (this instanceof Plain plain) {
      out.writeByte('p');
      writeGap(out, plain.gap());
    }
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws IOException if it is something else
   */
  static CursorState read(DataInput in) throws IOException {
    byte kind = in.readByte();
    Gap gap = readGap(in);
    return switch (kind) {
      case 'c' -> new Clock(gap, readNumbers(in));
      case 'h' ->
          new Horizon(gap, Optional.of(readGap(in)).filter(floor -> !floor.equals(Gap.START)));
      case 'w' ->
          new Window(
              gap,
              readSnapshot(in),
              Optional.of(readSnapshot(in)).filter(until -> !until.equals(Snapshot.NOTHING)));
      case 'p' -> new Plain(gap);
      default -> throw new IOException("a state of kind " + kind);
    };
  }

  private static void writeGap(DataOutput out, Gap gap) throws IOException {
    out.writeByte(gap.side().letter());
    out.writeByte(gap.keys().size());
    for (String key : gap.keys()) {
      byte[] text = key.getBytes(StandardCharsets.UTF_8);
      writeNumber(out, text.length);
      out.write(text);
    }
  }

  private static Gap readGap(DataInput in) throws IOException {
    Gap.Side side =
        Gap.Side.of(in.readByte()).orElseThrow(() -> new IOException("no side of a row"));
    List<String> keys = new ArrayList<>();
    for (int left = in.readByte(); left > 0; left--) {
      byte[] text = new byte[Math.toIntExact(readNumber(in))];
      in.readFully(text);
      keys.add(new String(text, StandardCharsets.UTF_8));
    }
    return new Gap(side, List.copyOf(keys));
  }

  private static void writeSnapshot(DataOutput out, Snapshot snapshot) throws IOException {
    writeNumber(out, snapshot.xmin());
    writeNumber(out, snapshot.xmax() - snapshot.xmin());
    writeNumber(out, snapshot.running().size());
    long last = snapshot.xmin();
    for (long xid : snapshot.running()) {
      writeNumber(out, xid - last);
      last = xid;
    }
  }

  private static Snapshot readSnapshot(DataInput in) throws IOException {
    long xmin = readNumber(in);
    long xmax = xmin + readNumber(in);
    List<Long> running = new ArrayList<>();
    long last = xmin;
    for (long step : readNumbers(in)) {
      last += step;
      running.add(last);
    }
    return new Snapshot(xmin, xmax, List.copyOf(running));
  }

  private static List<Long> readNumbers(DataInput in) throws IOException {
    List<Long> numbers = new ArrayList<>();
    for (long left = readNumber(in); left > 0; left--) {
      numbers.add(readNumber(in));
    }
    return List.copyOf(numbers);
  }

  /** Seven bits to a byte, the lowest first; all bytes but the last have the top bit set. */
  private static void writeNumber(DataOutput out, long number) throws IOException {
    long left = number;
    for (; left >= 0x80; left >>>= 7) {
      out.writeByte((int) (left | 0x80));
    }
    out.writeByte((int) left);
  }

  private static long readNumber(DataInput in) throws IOException {
    long number = 0;
    for (int shift = 0; shift < 63; shift += 7) {
      byte seven = in.readByte();
      number |= (long) (seven & 0x7f) << shift;
      if (seven >= 0) {
        return number;
      }
    }
    throw new IOException("a number of more than 63 bits");
  }
}
