package dev.mintmark.postgres.page;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The state that a cursor contains. Its type depends on the order of the pages. */
sealed interface CursorState {
  /**
   * The state in an order by minted ids.
   *
   * @param clocks the latest time at which each server was read, in milliseconds since 1970. There
   *     is one server, except for merged pages
   */
  record MintedId(Position position, List<Long> clocks) implements CursorState {}

  /**
   * The state in an order by transactions.
   *
   * @param floor the position by id at which the pages changed from the order by minted ids. Rows
   *     up to it were returned already and are not returned again
   */
  record Transaction(Position position, Optional<Position> floor) implements CursorState {}

  /**
   * The state in an order by windows.
   *
   * @param seen the snapshot up to which all rows were returned
   * @param until the snapshot that ends the current window; empty if no window is open
   */
  record Window(Position position, Snapshot seen, Optional<Snapshot> until)
      implements CursorState {}

  /** The state in an order without a guarantee. */
  record Plain(Position position) implements CursorState {}

  /** Returns the position in the order. */
  Position position();

  /** Writes the state as bytes. */
  default void write(DataOutput out) throws IOException {
    if (this instanceof MintedId minted) {
      out.writeByte('c');
      writePosition(out, minted.position());
      writeNumber(out, minted.clocks().size());
      for (long millis : minted.clocks()) {
        writeNumber(out, millis);
      }
    } else if (this instanceof Transaction transaction) {
      out.writeByte('h');
      writePosition(out, transaction.position());
      writePosition(out, transaction.floor().orElse(Position.START));
    } else if (this instanceof Window window) {
      out.writeByte('w');
      writePosition(out, window.position());
      writeSnapshot(out, window.seen());
      writeSnapshot(out, window.until().orElse(Snapshot.NOTHING));
    } else if (this instanceof Plain plain) {
      out.writeByte('p');
      writePosition(out, plain.position());
    }
  }

  /**
   * Reads a state that {@link #write} wrote.
   *
   * @throws IOException if the bytes are not a state
   */
  static CursorState read(DataInput in) throws IOException {
    byte kind = in.readByte();
    Position position = readPosition(in);
    return switch (kind) {
      case 'c' -> new MintedId(position, readNumbers(in));
      case 'h' ->
          new Transaction(
              position,
              Optional.of(readPosition(in)).filter(floor -> !floor.equals(Position.START)));
      case 'w' ->
          new Window(
              position,
              readSnapshot(in),
              Optional.of(readSnapshot(in)).filter(until -> !until.equals(Snapshot.NOTHING)));
      case 'p' -> new Plain(position);
      default -> throw new IOException("unknown kind of state: " + kind);
    };
  }

  private static void writePosition(DataOutput out, Position position) throws IOException {
    out.writeByte(position.side().letter());
    out.writeByte(position.keys().size());
    for (String key : position.keys()) {
      byte[] text = key.getBytes(StandardCharsets.UTF_8);
      writeNumber(out, text.length);
      out.write(text);
    }
  }

  private static Position readPosition(DataInput in) throws IOException {
    Position.Side side =
        Position.Side.of(in.readByte()).orElseThrow(() -> new IOException("unknown side of a row"));
    List<String> keys = new ArrayList<>();
    for (int left = in.readByte(); left > 0; left--) {
      byte[] text = new byte[Math.toIntExact(readNumber(in))];
      in.readFully(text);
      keys.add(new String(text, StandardCharsets.UTF_8));
    }
    return new Position(side, List.copyOf(keys));
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

  /**
   * Writes a number of at most 63 bits: seven per byte, lowest first. All bytes except the last
   * have the top bit set.
   */
  static void writeNumber(DataOutput out, long number) throws IOException {
    long left = number;
    for (; left >= 0x80; left >>>= 7) {
      out.writeByte((int) (left | 0x80));
    }
    out.writeByte((int) left);
  }

  /** Reads a number that {@link #writeNumber} wrote. */
  static long readNumber(DataInput in) throws IOException {
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
