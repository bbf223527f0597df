package dev.mintmark.spark.job;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Keeps two runs from one output. A run holds {@code lease-00000007-5f0c9a7e}, and writes it anew
 * every few seconds; the next run makes {@code lease-00000008-...}, once number 7 has been given
 * back or has stood still for {@link #PATIENCE}. No two clocks are compared. A run that was only
 * asleep finds the greater name and ends: {@link #check}.
 *
 * <p>No file is ever written by two runs, and none has to be made by one alone, which few file
 * systems can promise. Two runs that begin before either sees the other's take the same number; of
 * them, too, the one with the greater name goes on.
 */
final class Lease implements AutoCloseable {
  /** How long a lease stands still before it is taken for that of a run that was killed. */
  static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final Duration BEAT = Duration.ofSeconds(4);
  private static final Pattern NAME = Pattern.compile("lease-(\\d{8})-[0-9a-f]{8}");
  private static final String GIVEN_BACK = "given back\n";
  private static final String AT_ONCE = "one that began at the same time";

  private final FileSystem fileSystem;
  private final Path file;
  private final String holder;
  private final ScheduledExecutorService beat;
  private long beats;
  private boolean lost;

  private Lease(FileSystem fileSystem, Path file) {
    this.fileSystem = fileSystem;
    this.file = file;
    this.holder =
        "process %d, since %s"
            .formatted(
                ProcessHandle.current().pid(), Instant.now().truncatedTo(ChronoUnit.SECONDS));
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
    List<String> before = names(fileSystem, directory);
    String last = last(before);
    if (!last.isEmpty()) {
      waitUntilFree(fileSystem, new Path(directory, last), patience);
    }
    Lease lease = new Lease(fileSystem, new Path(directory, nameAfter(last)));
    lease.write(lease.content());
    if (!lease.isHeld()) {
      fileSystem.delete(lease.file, false);
      throw held(directory, AT_ONCE);
    }
    for (String old : before) {
      fileSystem.delete(new Path(directory, old), false);
    }
    lease.start();
    return lease;
  }

  /** What no other run is called. */
  String run() {
    return file.getName().substring("lease-".length());
  }

  /**
   * Makes sure that this run still has it.
   *
   * @throws JobException if another run has taken it
   */
  synchronized void check() throws IOException {
    if (!isHeld()) {
      throw held(file.getParent(), AT_ONCE + ", or that took this one for dead");
    }
  }

  /** Gives it back. */
  @Override
  public synchronized void close() throws IOException {
    beat.shutdown();
    if (isHeld()) {
      write(GIVEN_BACK);
    }
    lost = true;
  }

  private boolean isHeld() throws IOException {
    return !lost && last(names(fileSystem, file.getParent())).equals(file.getName());
  }

  private void start() {
    long millis = BEAT.toMillis();
    var unused = beat.scheduleWithFixedDelay(this::beat, millis, millis, TimeUnit.MILLISECONDS);
  }

  private synchronized void beat() {
    try {
      if (isHeld()) {
        beats++;
        write(content());
      } else {
        lost = true;
      }
    } catch (IOException e) {
      // The next beat may do; if none does, the work fails at the same file system.
      System.getLogger(Lease.class.getName())
          .log(System.Logger.Level.WARNING, "cannot renew the lease " + file, e);
    }
  }

  private String content() {
    return "%s%nbeat %d%n".formatted(holder, beats);
  }

  private void write(String content) throws IOException {
    try (OutputStream out = fileSystem.create(file, true)) {
      out.write(content.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static void waitUntilFree(FileSystem fileSystem, Path file, Duration patience)
      throws IOException {
    Path directory = file.getParent();
    String first = readIfThere(fileSystem, file);
    long start = System.nanoTime();
    String now = first;
    while (!now.equals(GIVEN_BACK) && System.nanoTime() - start < patience.toNanos()) {
      if (!now.isEmpty() && !now.equals(first)) {
        throw held(directory, now.lines().findFirst().orElse(""));
      }
      pause();
      now = readIfThere(fileSystem, file);
    }
    if (!last(names(fileSystem, directory)).equals(file.getName())) {
      throw held(directory, AT_ONCE);
    }
  }

  /** Empty while it is being written. */
  private static String readIfThere(FileSystem fileSystem, Path file) {
    try (InputStream content = fileSystem.open(file)) {
      return new String(content.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "";
    }
  }

  /** Those of all leases, in their order. */
  private static List<String> names(FileSystem fileSystem, Path directory) throws IOException {
    return Arrays.stream(fileSystem.listStatus(directory))
        .map(file -> file.getPath().getName())
        .filter(name -> NAME.matcher(name).matches())
        .sorted()
        .toList();
  }

  private static String last(List<String> names) {
    return names.isEmpty() ? "" : names.get(names.size() - 1);
  }

  private static String nameAfter(String last) {
    Matcher name = NAME.matcher(last);
    long number = name.matches() ? Long.parseLong(name.group(1)) : 0;
    return "lease-%08d-%s".formatted(number + 1, UUID.randomUUID().toString().substring(0, 8));
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
