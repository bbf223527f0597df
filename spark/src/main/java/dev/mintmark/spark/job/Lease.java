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
 * A lease that allows only one run at a time on an output. A run holds the file {@code
 * lease-00000007-5f0c9a7e} and renews it every few seconds: it writes the file again. The next run
 * creates {@code lease-00000008-...} after lease 7 was released or was not renewed for {@link
 * #PATIENCE}. Clocks of different machines are not compared. A run that was suspended finds the
 * larger name and ends: {@link #check}.
 *
 * <p>Two runs never write the same file, and no file must be created exclusively, which few file
 * systems guarantee. Two runs that start before either sees the lease of the other take the same
 * number. In this case, too, the run with the larger name continues.
 */
final class Lease implements AutoCloseable {
  /** The time without renewal after which a lease counts as the lease of a run that was killed. */
  static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final Duration HEARTBEAT = Duration.ofSeconds(4);
  private static final Pattern NAME = Pattern.compile("lease-(\\d{8})-[0-9a-f]{8}");
  private static final String RELEASED = "released\n";
  private static final String AT_SAME_TIME = "a run that started at the same time";

  private final FileSystem fileSystem;
  private final Path file;
  private final String holder;
  private final ScheduledExecutorService heartbeat;
  private long beats;
  private boolean lost;

  private Lease(FileSystem fileSystem, Path file) {
    this.fileSystem = fileSystem;
    this.file = file;
    this.holder =
        "process %s, since %s"
            .formatted(
                ProcessHandle.current().pid(), Instant.now().truncatedTo(ChronoUnit.SECONDS));
    this.heartbeat =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "mintmark-lease");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Takes the lease of a directory after no other run holds it.
   *
   * @param patience how long to wait for a renewal of the lease of another run
   * @throws JobException if another run holds the lease
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
      throw held(directory, AT_SAME_TIME);
    }
    for (String old : before) {
      fileSystem.delete(new Path(directory, old), false);
    }
    lease.start();
    return lease;
  }

  /** Returns the unique name of this run, which is greater than the names of earlier runs. */
  String run() {
    return file.getName().substring("lease-".length());
  }

  /**
   * Checks that this run still holds the lease.
   *
   * @throws JobException if another run has taken the lease
   */
  synchronized void check() throws IOException {
    if (!isHeld()) {
      throw held(file.getParent(), AT_SAME_TIME + ", or that took over the lease of this run");
    }
  }

  /** Releases the lease. */
  @Override
  public synchronized void close() throws IOException {
    heartbeat.shutdown();
    if (isHeld()) {
      write(RELEASED);
    }
    lost = true;
  }

  private boolean isHeld() throws IOException {
    return !lost && last(names(fileSystem, file.getParent())).equals(file.getName());
  }

  private void start() {
    long millis = HEARTBEAT.toMillis();
    var unused =
        heartbeat.scheduleWithFixedDelay(this::renew, millis, millis, TimeUnit.MILLISECONDS);
  }

  private synchronized void renew() {
    try {
      if (isHeld()) {
        beats++;
        write(content());
      } else {
        lost = true;
      }
    } catch (IOException e) {
      // The next renewal may succeed. If none does, the run itself fails on this file system.
      System.getLogger(Lease.class.getName())
          .log(System.Logger.Level.WARNING, "cannot renew the lease " + file, e);
    }
  }

  private String content() {
    return "%s%nbeat %s%n".formatted(holder, beats);
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
    while (!now.equals(RELEASED) && System.nanoTime() - start < patience.toNanos()) {
      if (!now.isEmpty() && !now.equals(first)) {
        throw held(directory, now.lines().findFirst().orElse(""));
      }
      pause();
      now = readIfThere(fileSystem, file);
    }
    if (!last(names(fileSystem, directory)).equals(file.getName())) {
      throw held(directory, AT_SAME_TIME);
    }
  }

  /** Returns the content of a lease; empty while it is being written. */
  private static String readIfThere(FileSystem fileSystem, Path file) {
    try (InputStream content = fileSystem.open(file)) {
      return new String(content.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "";
    }
  }

  /** Returns the names of all leases in order. */
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
      throw new JobException("interrupted while waiting for the lease of another run", e);
    }
  }

  private static JobException held(Path directory, String holder) {
    return new JobException(
        "another run is working on %s: %s".formatted(directory.getParent(), holder));
  }
}
