package dev.mintmark.app.transfer;

import dev.mintmark.Block;
import dev.mintmark.CidrPrefixes;
import dev.mintmark.PoolSpec;
import dev.mintmark.app.service.ClaimRefusal;
import dev.mintmark.app.transfer.ImportFormat.Columns;
import dev.mintmark.app.transfer.ImportReport.Rejection;
import dev.mintmark.postgres.pool.ClaimRequest;
import dev.mintmark.postgres.pool.ClaimResult;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.PoolUnavailableException;
import dev.mintmark.postgres.pool.ValueStanding;
import java.io.IOException;
import java.io.Reader;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Claims the values that a file says are in use. The file is read three times, line by line: for
 * values that it has twice, for a plan, and to claim. Nothing is claimed if the plan rejects a
 * line, unless such lines are skipped. An import can be repeated: what a client holds already stays
 * as it is, but for its note.
 *
 * <p>A plan does not know everything: a value may be claimed between the plan and the import, and
 * quotas are checked when a value is claimed. Such lines are rejected then.
 */
public final class PoolImport {
  /** The most lines of a file. */
  public static final int LINES_MAX = 1_000_000;

  /** How many lines are looked up, or claimed, at the same time. */
  private static final int BATCH = 500;

  private final Pool pool;
  private final Source source;
  private final InstantSource clock;
  private final List<Block> blocks;
  private final boolean ofPrefixes;
  private final ImportFormat format;
  private final LineOfValue lineOf = new LineOfValue();

  /** A file that can be read several times. */
  public interface Source {
    /** Opens the file at its beginning. */
    Reader open() throws IOException;
  }

  /**
   * Reads the file once.
   *
   * @param format the format; empty: it is recognized by the heading
   * @param clock what the ends of leases are compared with
   * @throws IllegalArgumentException if the file has no such heading, or more than {@value
   *     #LINES_MAX} lines
   */
  public PoolImport(Pool pool, Source source, Optional<ImportFormat> format, InstantSource clock)
      throws IOException {
    this.pool = pool;
    this.source = source;
    this.clock = clock;
    this.blocks = pool.spec().blocks();
    this.ofPrefixes = blocks.stream().anyMatch(CidrPrefixes.class::isInstance);
    try (Reader reader = source.open()) {
      List<String> heading = heading(new CsvReader(reader));
      this.format = format.orElseGet(() -> ImportFormat.of(heading));
      this.format.check(heading);
    }
    try (Reader reader = source.open()) {
      read(reader, this::recordLine);
    }
  }

  /** One line: what it says is in use, or why it cannot be read. */
  private record Line(int number, @Nullable ImportedClaim claim, @Nullable String malformed) {}

  /** The counts so far. */
  private static final class Tally {
    private final Consumer<Rejection> listener;
    private final List<Rejection> rejections = new ArrayList<>();
    private long lines;
    private long claimed;
    private long held;
    private long skipped;
    private long rejected;

    Tally(Consumer<Rejection> listener) {
      this.listener = listener;
    }

    void reject(int line, String value, String reason) {
      Rejection rejection = new Rejection(line, value, reason);
      rejected++;
      if (rejections.size() < ImportReport.REJECTIONS_MAX) {
        rejections.add(rejection);
      }
      listener.accept(rejection);
    }

    ImportReport report(ImportFormat format, boolean isDone) {
      return new ImportReport(
          format, isDone, lines, claimed, held, skipped, rejected, List.copyOf(rejections));
    }
  }

  /**
   * Finds out what an import would do. Nothing is claimed.
   *
   * @param listener receives each line that is rejected
   * @throws PoolUnavailableException if the database failed
   */
  public ImportReport plan(Consumer<Rejection> listener) throws IOException {
    Tally tally = new Tally(listener);
    Instant now = clock.instant();
    try (Batches batches = new Batches(tally, now, lines -> plan(lines, tally, now))) {
      batches.run();
    }
    return tally.report(format, false);
  }

  /**
   * Claims the values. Lines that a {@linkplain #plan plan} would reject are rejected here too, and
   * the others are claimed.
   *
   * @param listener receives each line that is rejected
   * @throws PoolUnavailableException if the database failed: some values are claimed. Importing
   *     again is safe
   */
  public ImportReport claim(Consumer<Rejection> listener) throws IOException {
    Tally tally = new Tally(listener);
    Instant now = clock.instant();
    try (Batches batches = new Batches(tally, now, lines -> claim(lines, tally, now))) {
      batches.run();
    }
    return tally.report(format, true);
  }

  private interface Consequence {
    void of(List<Line> lines);
  }

  /** Reads the file and passes on the lines that are to be claimed, some at a time. */
  private final class Batches implements AutoCloseable {
    private final Tally tally;
    private final Instant now;
    private final Consequence consequence;
    private final Reader reader;
    private final List<Line> batch = new ArrayList<>();

    Batches(Tally tally, Instant now, Consequence consequence) throws IOException {
      this.tally = tally;
      this.now = now;
      this.consequence = consequence;
      this.reader = source.open();
    }

    void run() throws IOException {
      read(reader, this::add);
      pass();
    }

    private void add(Line line) {
      tally.lines++;
      ImportedClaim claim = line.claim;
      if (claim == null) {
        tally.reject(line.number, "", String.valueOf(line.malformed));
        return;
      }
      int counts = lineOf.get(keyOf(claim.value()));
      if (counts != line.number) {
        if (format.lastLineCounts()) {
          tally.skipped++;
        } else {
          tally.reject(line.number, claim.value(), "line %s has this value too".formatted(counts));
        }
      } else if (claim.isOver(now)) {
        tally.skipped++;
      } else {
        batch.add(line);
        if (batch.size() == BATCH) {
          pass();
        }
      }
    }

    private void pass() {
      if (!batch.isEmpty()) {
        consequence.of(List.copyOf(batch));
        batch.clear();
      }
    }

    @Override
    public void close() throws IOException {
      reader.close();
    }
  }

  private void plan(List<Line> lines, Tally tally, Instant now) {
    List<String> values = lines.stream().map(line -> claimOf(line).value()).toList();
    List<ValueStanding> standings = pool.survey().standings(values);
    for (int i = 0; i < lines.size(); i++) {
      Line line = lines.get(i);
      ImportedClaim claim = claimOf(line);
      ValueStanding standing = standings.get(i);
      Optional<String> obstacle = obstacle(claim, standing, now);
      if (obstacle.isPresent()) {
        tally.reject(line.number, claim.value(), obstacle.get());
      } else if (standing.holder().isPresent()) {
        tally.held++;
      } else {
        tally.claimed++;
      }
    }
  }

  /** Returns why the value cannot be claimed, as far as is known now. */
  private Optional<String> obstacle(ImportedClaim claim, ValueStanding standing, Instant now) {
    PoolSpec spec = pool.spec();
    String client = claim.client();
    if (!standing.exists()) {
      return Optional.of("no block of the pool has it");
    }
    if (standing.holder().filter(holder -> !holder.equals(client)).isPresent()) {
      return standing.holder().map(holder -> "client \"%s\" holds it".formatted(holder));
    }
    if (standing.holder().isEmpty()) {
      if (standing.excluded()) {
        return Optional.of("it is excluded");
      }
      if (standing.closed()) {
        return Optional.of("its block is drained, or quarantined as a whole");
      }
      boolean isLast = spec.sticky() && standing.lastClient().equals(Optional.of(client));
      if (standing.quarantinedUntil().isPresent() && !isLast) {
        return standing.quarantinedUntil().map(until -> "it is quarantined until " + until);
      }
    }
    if (spec.perOwner().isPresent() && claim.owner().isEmpty()) {
      return Optional.of("it names no owner, and the pool limits the values of an owner");
    }
    try {
      ClaimRequest unused = claim.request(now);
      spec.ipv6().ifPresent(ipv6 -> ipv6.checkClient(client));
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private void claim(List<Line> lines, Tally tally, Instant now) {
    List<CompletableFuture<ClaimResult>> results = new ArrayList<>();
    for (Line line : lines) {
      results.add(submit(claimOf(line), now));
    }
    for (int i = 0; i < lines.size(); i++) {
      Line line = lines.get(i);
      try {
        count(line, results.get(i).join(), tally);
      } catch (CompletionException e) {
        if (!(e.getCause() instanceof IllegalArgumentException)) {
          throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
        tally.reject(line.number, claimOf(line).value(), String.valueOf(e.getCause().getMessage()));
      }
    }
  }

  private CompletableFuture<ClaimResult> submit(ImportedClaim claim, Instant now) {
    try {
      return pool.claimAsync(claim.request(now));
    } catch (IllegalArgumentException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static void count(Line line, ClaimResult result, Tally tally) {
    if (result instanceof Granted) {
      tally.claimed++;
    } else if (result instanceof AlreadyHeld) {
      tally.held++;
    } else {
      tally.reject(line.number, claimOf(line).value(), ClaimRefusal.message(result));
    }
  }

  private static ImportedClaim claimOf(Line line) {
    ImportedClaim claim = line.claim;
    if (claim == null) {
      throw new IllegalStateException("line " + line.number + " has no claim");
    }
    return claim;
  }

  private void recordLine(Line line) {
    if (line.claim != null) {
      lineOf.put(keyOf(line.claim.value()), line.number, format.lastLineCounts());
    }
  }

  /** The position of the value in the pool, however it is written; else a hash of its text. */
  private long keyOf(String value) {
    long first = 0;
    for (Block block : blocks) {
      OptionalLong position = block.positionOf(value);
      if (position.isPresent()) {
        return first + position.getAsLong();
      }
      first += block.size();
      if (first < 0) {
        break;
      }
    }
    long hash = 0xCBF2_9CE4_8422_2325L;
    for (int i = 0; i < value.length(); i++) {
      hash = (hash ^ value.charAt(i)) * 0x100_0000_01B3L;
    }
    return hash | Long.MIN_VALUE;
  }

  private void read(Reader reader, Consumer<Line> each) throws IOException {
    CsvReader records = new CsvReader(reader);
    Columns columns = new Columns(heading(records));
    int lines = 0;
    for (List<String> fields = records.next(); fields != null; fields = records.next()) {
      if (++lines > LINES_MAX) {
        throw new IllegalArgumentException(
            "line %s: a file has at most %s lines with values: split it"
                .formatted(records.line(), LINES_MAX));
      }
      each.accept(line(columns, records.line(), fields));
    }
  }

  private Line line(Columns columns, int number, List<String> fields) {
    try {
      columns.checkCount(fields);
      return new Line(number, format.read(columns, fields, ofPrefixes), null);
    } catch (IllegalArgumentException e) {
      return new Line(number, null, e.getMessage());
    }
  }

  private static List<String> heading(CsvReader records) throws IOException {
    List<String> heading = records.next();
    if (heading == null) {
      throw new IllegalArgumentException("the file is empty: expected a heading in line 1");
    }
    return heading;
  }
}
