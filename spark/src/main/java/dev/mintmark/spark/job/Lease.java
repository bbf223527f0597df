package dev.mintmark.spark.job;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Keeps two runs from one output. A run holds {@code lease-00000007}, and writes it anew every few
 * seconds; the next run makes {@code lease-00000008}, once number 7 has been given back or has
 * stood still for {@link #PATIENCE}. No two clocks are compared. A run that was only asleep finds
 * the greater number and ends: {@link #check}.
 *
 * <p>Of two runs that begin in the same instant, both make the same file where the file system lets
 * them, as local disks do: it is the one's whose name is in it, and the other ends.
 */
final class Lease implements AutoCloseable {
  /** How long a lease stands still before it is taken for that of a run that was killed. */
  static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final Duration BEAT = Duration.ofSeconds(4);
  private static final Pattern NAME = Pattern.compile("lease-(\\d{8})");
  private static final String GIVEN_BACK = "given back\n";

  private final FileSystem fileSystem;
  private final Path directory;
  private final long number;
  private final String holder;
  private final ScheduledExecutorService beat;
  private long beats;
  private boolean lost;

  private Lease(FileSystem fileSystem, Path directory, long number, String holder) {
    this.fileSystem = fileSystem;
    this.directory = directory;
    this.number = number;
    this.holder = holder;
    this.beat =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "mintmark-lease");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Takes the lease of a directory, once nobody else has it.
   *
   * @param patience how long the lease of another is watched for a sign of life
   * @throws JobException if another run holds it
   */
  static Lease take(FileSystem fileSystem, Path directory, Duration patience) throws IOException {
    fileSystem.mkdirs(directory);
    long last = last(fileSystem, directory);
    if (last > 0) {
      waitUntilFree(fileSystem, directory, last, patience);
    }
    String holder =
        "process %d, since %s, %s"
            .formatted(
                ProcessHandle.current().pid(),
                Instant.now().truncatedTo(ChronoUnit.SECONDS),
                UUID.randomUUID());
    Lease lease = new Lease(fileSystem, directory, last + 1, holder);
    try {
      lease.write(lease.content(), false);
    } catch (FileAlreadyExistsException e) {
      throw held(directory, "another run");
    }
    for (long old = last; old > 0 && old > last - 2; old--) {
      fileSystem.delete(file(directory, old), false);
    }
    lease.start();
    return lease;
  }

  /** Its number, which no run before had. */
  long number() {
    return number;
  }

  /**
   * Makes sure that this run still has it.
   *
   * @throws JobException if another run has taken it
   */
  synchronized void check() throws IOException {
    if (!isHeld()) {
      throw held(directory, "a run that took this one for dead");
    }
  }

  /** Gives it back. */
  @Override
  public synchronized void close() throws IOException {
    beat.shutdown();
    if (isHeld()) {
      write(GIVEN_BACK, true);
    }
    lost = true;
  }

  private boolean isHeld() throws IOException {
    return !lost
        && last(fileSystem, directory) == number
        && read(fileSystem, file(directory, number)).startsWith(holder);
  }

  private void start() {
    long millis = BEAT.toMillis();
    var unused = beat.scheduleWithFixedDelay(this::beat, millis, millis, TimeUnit.MILLISECONDS);
  }

  private synchronized void beat() {
    try {
      if (isHeld()) {
        beats++;
        write(content(), true);
      } else {
        lost = true;
      }
    } catch (IOException e) {
      // The next beat may do; if none does, the work fails at the same file system.
      System.getLogger(Lease.class.getName())
          .log(System.Logger.Level.WARNING, "cannot renew the lease " + file(directory, number), e);
    }
  }

  private String content() {
    return "%s%nbeat %d%n".formatted(holder, beats);
  }

  private void write(String content, boolean overwrite) throws IOException {
    try (OutputStream file = fileSystem.create(file(directory, number), overwrite)) {
      file.write(content.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static void waitUntilFree(
      FileSystem fileSystem, Path directory, long number, Duration patience) throws IOException {
    String first = readIfThere(fileSystem, directory, number);
    long start = System.nanoTime();
    String now = first;
    while (!now.equals(GIVEN_BACK) && System.nanoTime() - start < patience.toNanos()) {
      if (!now.isEmpty() && !now.equals(first)) {
        throw held(directory, now.lines().findFirst().orElse(""));
      }
      pause();
      now = readIfThere(fileSystem, directory, number);
    }
  }

  /** Empty while it is being written. */
  private static String readIfThere(FileSystem fileSystem, Path directory, long number) {
    try {
      return read(fileSystem, file(directory, number));
    } catch (IOException e) {
      return "";
    }
  }

  private static String read(FileSystem fileSystem, Path file) throws IOException {
    try (InputStream content = fileSystem.open(file)) {
      return new String(content.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static long last(FileSystem fileSystem, Path directory) throws IOException {
    long last = 0;
    for (FileStatus file : fileSystem.listStatus(directory)) {
      Matcher name = NAME.matcher(file.getPath().getName());
      if (name.matches()) {
        last = Math.max(last, Long.parseLong(name.group(1)));
      }
    }
    return last;
  }

  private static Path file(Path directory, long number) {
    return new Path(directory, "lease-%08d".formatted(number));
  }

  private static void pause() {
    try {
      Thread.sleep(100);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new JobException("interrupted while another run's lease was watched", e);
    }
  }

  private static JobException held(Path directory, String holder) {
    return new JobException(
        "another run is at work on %s: %s".formatted(directory.getParent(), holder));
  }
}
