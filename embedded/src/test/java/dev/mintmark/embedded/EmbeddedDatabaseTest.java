package dev.mintmark.embedded;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(1_200) // for a machine ten times slower than this
@Tag("long")
final class EmbeddedDatabaseTest {
  private final Path parent;
  private final Path directory;
  private final List<Process> started = new ArrayList<>();

  EmbeddedDatabaseTest(@TempDir Path parent) {
    this.parent = parent;
    this.directory = parent.resolve("data of ours");
  }

  @AfterEach
  void leaveNothingRunning() {
    started.forEach(Process::destroyForcibly);
    DataDirectory.existing(directory)
        .ifPresent(data -> new PostgresCluster(data.cluster(), data.log()).stop());
  }

  @Test
  void keepsItsDataFromOneStartToTheNext() throws SQLException {
    try (EmbeddedDatabase database = EmbeddedDatabase.start(directory)) {
      execute(database.jdbcUrl(), "create table meats as select 7 as id");
    }

    try (EmbeddedDatabase database = EmbeddedDatabase.start(directory)) {
      assertThat(query(database.jdbcUrl(), "select id from meats")).isEqualTo("7");
    }
  }

  @Test
  void whatUsersMakeStaysOutOfOurSchema() throws SQLException {
    try (EmbeddedDatabase database = EmbeddedDatabase.start(directory)) {
      execute(database.jdbcUrl(), "create schema mintmark; create table meats (id int)");

      assertThat(query(database.jdbcUrl(), "select 'meats'::regclass = 'public.meats'::regclass"))
          .isEqualTo("t");
    }
  }

  @Test
  void isDurableAndTheSameEverywhere() throws SQLException {
    try (EmbeddedDatabase database = EmbeddedDatabase.start(directory)) {
      String url = database.jdbcUrl();

      assertThat(query(url, "show fsync")).isEqualTo("on");
      assertThat(query(url, "show synchronous_commit")).isEqualTo("on");
      assertThat(query(url, "show full_page_writes")).isEqualTo("on");
      assertThat(query(url, "show max_connections")).isEqualTo("300");
      assertThat(query(url, "show shared_buffers")).isEqualTo("128MB");
      assertThat(query(url, "show listen_addresses")).isEqualTo("127.0.0.1");
      assertThat(query(url, "show unix_socket_directories")).isEmpty();
      assertThat(query(url, "show server_encoding")).isEqualTo("UTF8");
      assertThat(query(url, "select setting from pg_settings where name = 'log_timezone'"))
          .isEqualTo("UTC");
      assertThat(query(url, "select 'a' collate \"default\" > 'B'")).isEqualTo("t");
    }
  }

  @Test
  void asksForThePasswordThatNobodyElseCanRead() throws IOException {
    try (EmbeddedDatabase database = EmbeddedDatabase.start(directory)) {
      String url = database.jdbcUrl();

      for (String wrong : List.of(url.replaceFirst("&password=.*", ""), url + "x")) {
        assertThatThrownBy(() -> query(wrong, "select 1")).isInstanceOf(SQLException.class);
      }
      assertThat(permissions("password")).isEqualTo("rw-------");
      assertThat(permissions("superuser-password")).isEqualTo("rw-------");
      assertThat(permissions("postgresql.log")).isEqualTo("rw-------");
      assertThat(permissions("postgresql-18")).isEqualTo("rwx------");
      assertThat(permissions("")).isEqualTo("rwx------");
    }
  }

  @Test
  void isClosedByAnInterruptedThread() throws IOException {
    EmbeddedDatabase database = EmbeddedDatabase.start(directory);
    long postmaster = postmaster();

    Thread.currentThread().interrupt();
    database.close();

    assertThat(Thread.interrupted()).isTrue();
    // A process that ended and was not reaped has no arguments.
    assertThat(ProcessHandle.of(postmaster).flatMap(process -> process.info().arguments()))
        .isEmpty();
    assertThat(ServerLock.isHeld(directory.toRealPath().resolve("server.lock"))).isFalse();
  }

  /** Root starts it as another user, so root gives up the right to do so here. */
  @Test
  void postgresInheritsNoSecretsOfTheProgram() throws IOException {
    assumeTrue(
        Files.exists(Path.of("/proc/self/environ")), "only Linux shows the variables of a process");
    ProcessBuilder holder = holder();
    holder.environment().put("MINTMARK_SECRET", "of the program");
    if (ProcessUser.isRoot()) {
      holder.command().addAll(0, List.of("setpriv", "--bounding-set=-setuid,-setgid"));
    }

    String line = readLine(track(holder.start()));

    assumeTrue(!line.startsWith("PostgreSQL does not run as root"), line);
    assertThat(line).startsWith("jdbc:");
    assertThat(
            Files.readString(
                Path.of("/proc/%d/environ".formatted(postmaster())), StandardCharsets.ISO_8859_1))
        .contains("PATH=")
        .doesNotContain("MINTMARK_SECRET");
  }

  @Test
  void isFoundWhileItRuns() throws Exception {
    assertThat(EmbeddedDatabase.findRunning(directory)).isEmpty();
    Process holder = hold();
    String url = readLine(holder);

    Optional<String> found = EmbeddedDatabase.findRunning(directory);

    assertThat(found).contains(url);
    assertThat(query(url, "select 1")).isEqualTo("1");
    holder.getOutputStream().close();
    assertThat(holder.waitFor(600, SECONDS)).isTrue();
    assertThat(EmbeddedDatabase.findRunning(directory)).isEmpty();
  }

  @Test
  void refusesADirectoryThatAnotherProcessUses() throws IOException {
    Process holder = hold();
    String url = readLine(holder);

    assertThatThrownBy(() -> EmbeddedDatabase.start(directory))
        .isInstanceOf(StartupException.class)
        .hasMessage(
            "the data directory %s is in use by another mintmark (pid %d)"
                .formatted(directory.toRealPath(), holder.pid()));
    assertThat(EmbeddedDatabase.findRunning(directory)).contains(url);
  }

  @Test
  void refusesADirectoryThatThisProcessUsesAndKeepsTheLock() throws IOException {
    try (EmbeddedDatabase database = EmbeddedDatabase.start(directory)) {
      assertThatThrownBy(() -> EmbeddedDatabase.start(directory))
          .isInstanceOf(StartupException.class)
          .hasMessageContaining("is in use by another mintmark (pid ");
      assertThat(EmbeddedDatabase.findRunning(directory)).contains(database.jdbcUrl());

      assertThat(readLine(hold()))
          .endsWith("is in use by another mintmark (pid " + ProcessHandle.current().pid() + ")");
    }
  }

  @Test
  void goesOnAfterTheProcessThatRanItWasKilled() throws Exception {
    Process holder = hold();
    String url = readLine(holder);
    execute(url, "create table meats as select 7 as id");
    long postmaster = postmaster();

    holder.destroyForcibly().waitFor();

    assertThat(ProcessHandle.of(postmaster)).as("the PostgreSQL left behind").isPresent();
    assertThat(EmbeddedDatabase.findRunning(directory)).isEmpty();
    try (EmbeddedDatabase database = EmbeddedDatabase.start(directory)) {
      assertThat(query(database.jdbcUrl(), "select id from meats")).isEqualTo("7");
      assertThat(postmaster()).isNotEqualTo(postmaster);
    }
  }

  /** Its PostgreSQL goes on, and has the earlier path in its command line. */
  @Test
  void leavesADatabaseAloneWhoseDirectoryWasMoved() throws Exception {
    assumeTrue(Files.exists(Path.of("/proc/self/cwd")), "only Linux shows working directories");
    Process holder = hold();
    String moved = readLine(holder);
    Files.move(directory, parent.resolve("moved"));

    try (EmbeddedDatabase database = EmbeddedDatabase.start(directory)) {
      assertThat(query(moved, "select 1")).isEqualTo("1");
      long postmaster = postmaster();
      holder.getOutputStream().close();
      assertThat(holder.waitFor(600, SECONDS)).isTrue();

      assertThatThrownBy(() -> query(moved, "select 1")).isInstanceOf(SQLException.class);
      assertThat(query(database.jdbcUrl(), "select 1")).isEqualTo("1");
      assertThat(postmaster()).isEqualTo(postmaster);
    }
  }

  @Test
  void goesOnAfterPostgresWasKilled() throws SQLException, IOException {
    try (EmbeddedDatabase database = EmbeddedDatabase.start(directory)) {
      execute(database.jdbcUrl(), "create table meats as select 7 as id");
      kill(postmaster());
      assertThat(EmbeddedDatabase.findRunning(directory)).isEmpty();
    }

    try (EmbeddedDatabase database = EmbeddedDatabase.start(directory)) {
      assertThat(query(database.jdbcUrl(), "select id from meats")).isEqualTo("7");
    }
  }

  @Test
  void reportsThatPostgresHasEndedByItself() throws Exception {
    try (EmbeddedDatabase database = EmbeddedDatabase.start(directory)) {
      CompletableFuture<String> reported = new CompletableFuture<>();
      database.onUnexpectedEnd(reported::complete);
      long postmaster = postmaster();

      kill(postmaster);

      Path root = directory.toRealPath();
      assertThat(reported.get())
          .isEqualTo(
              "PostgreSQL on %s has ended (pid %d, see %s)",
              root, postmaster, root.resolve("postgresql.log"));
    }
  }

  /** After a crash of a session PostgreSQL starts its other processes again. */
  @Test
  void reportsNeitherASessionThatCrashesNorTheEndThatIsAskedFor() throws Exception {
    List<String> reported = new CopyOnWriteArrayList<>();
    Set<Thread> earlier = watches();
    Set<Thread> watches;
    try (EmbeddedDatabase database = EmbeddedDatabase.start(directory)) {
      database.onUnexpectedEnd(reported::add);
      watches = watches();
      watches.removeAll(earlier);
      long postmaster = postmaster();

      killSession(database.jdbcUrl());

      Path log = directory.resolve("postgresql.log");
      while (!Files.readString(log).matches("(?s).*reinitializing.*ready to accept.*")) {
        PollDelay.sleepMillis(10);
      }
      assertThat(postmaster()).isEqualTo(postmaster);
    }
    assertThat(watches).hasSize(1);
    for (Thread watch : watches) {
      watch.join();
    }
    assertThat(reported).isEmpty();
  }

  /** A process that is suspended does not notice that its postmaster was killed. */
  @Test
  void waitsForTheOtherProcessesOfAServerThatWasKilled() throws Exception {
    ProcessHandle orphan;
    try (EmbeddedDatabase database = EmbeddedDatabase.start(directory)) {
      execute(database.jdbcUrl(), "create table meats as select 7 as id");
      orphan = ProcessHandle.of(postmaster()).orElseThrow().children().findFirst().orElseThrow();
      signal("-STOP", orphan);
      kill(postmaster());
    }

    FutureTask<EmbeddedDatabase> start = new FutureTask<>(() -> EmbeddedDatabase.start(directory));
    new Thread(start, "start").start();
    Path log = directory.resolve("postgresql.log");
    while (!Files.readString(log).contains("shared memory block") && !start.isDone()) {
      PollDelay.sleepMillis(10);
    }
    signal("-CONT", orphan);

    try (EmbeddedDatabase database = start.get()) {
      assertThat(query(database.jdbcUrl(), "select id from meats")).isEqualTo("7");
    }
  }

  @Test
  void leavesAProcessAloneThatWasGivenThePidOfAnEarlierServer() throws Exception {
    try (EmbeddedDatabase database = EmbeddedDatabase.start(directory)) {
      execute(database.jdbcUrl(), "create table meats as select 7 as id");
      kill(postmaster());
    }
    Process stranger = track(new ProcessBuilder("sleep", "3600").start());
    Path pidFile = directory.resolve("postgresql-18/postmaster.pid");
    List<String> lines = new ArrayList<>(Files.readAllLines(pidFile));
    lines.set(0, Long.toString(stranger.pid()));
    Files.write(pidFile, lines);

    try (EmbeddedDatabase database = EmbeddedDatabase.start(directory)) {
      assertThat(query(database.jdbcUrl(), "select id from meats")).isEqualTo("7");
    }

    assertThat(stranger.isAlive()).isTrue();
  }

  @Test
  void beginsAnewWhereTheSetUpWasCutShort() throws Exception {
    cutSetUpShort();
    while (!Files.exists(directory.resolve("setting-up"))) { // It had just ended.
      leaveNothingRunning();
      FileTree.delete(directory);
      cutSetUpShort();
    }

    try (EmbeddedDatabase database = EmbeddedDatabase.start(directory)) {
      assertThat(query(database.jdbcUrl(), "select 1")).isEqualTo("1");
      assertThat(directory.resolve("setting-up")).doesNotExist();
    }
  }

  @Test
  void refusesTheFilesOfAnotherMajorVersion() throws IOException {
    Path cluster = Files.createDirectories(directory.resolve("postgresql-17"));
    Files.writeString(cluster.resolve("PG_VERSION"), "17\n");

    assertThatThrownBy(() -> EmbeddedDatabase.start(directory))
        .isInstanceOf(StartupException.class)
        .hasMessage(
            cluster.toRealPath()
                + " was created by PostgreSQL 17, this mintmark runs 18: let the mintmark that created"
                + " it make a backup (mintmark backup), and restore that into another directory"
                + " (mintmark restore --no-quarantine)");
  }

  @Test
  void aRestoreThatDidNotEndBeginsAgainAndNothingElseUsesTheDirectory() throws Exception {
    EmbeddedDatabase interrupted = EmbeddedDatabase.startRestore(directory);
    execute(interrupted.jdbcUrl(), "create table half (n int)");
    assertThat(EmbeddedDatabase.findRunning(directory)).isEmpty();
    interrupted.close();

    assertThatThrownBy(() -> EmbeddedDatabase.start(directory))
        .isInstanceOf(StartupException.class)
        .hasMessage(
            "the restore into %s did not come to its end: run mintmark restore again, or delete the directory",
            directory.toRealPath());
    try (EmbeddedDatabase again = EmbeddedDatabase.startRestore(directory)) {
      assertThat(query(again.jdbcUrl(), "select to_regclass('half') is null")).isEqualTo("t");
      again.endRestore();
    }
    try (EmbeddedDatabase database = EmbeddedDatabase.start(directory)) {
      assertThat(query(database.jdbcUrl(), "select 1")).isEqualTo("1");
    }
  }

  /** The mintmark that began it may have had another PostgreSQL. */
  @Test
  void aRestoreThatWasInterruptedWhileItDeletedAnotherBeginsAgain() throws Exception {
    EmbeddedDatabase.startRestore(directory).close();
    Files.delete(directory.resolve("postgresql-18/PG_VERSION"));
    Path earlier = Files.createDirectory(directory.resolve("postgresql-17"));

    assertThatThrownBy(() -> EmbeddedDatabase.start(directory))
        .isInstanceOf(StartupException.class)
        .hasMessageContaining("did not come to its end: run mintmark restore again");
    try (EmbeddedDatabase again = EmbeddedDatabase.startRestore(directory)) {
      assertThat(query(again.jdbcUrl(), "select 1")).isEqualTo("1");
      assertThat(earlier).doesNotExist();
      again.endRestore();
    }
  }

  @Test
  void aRestoreChangesNothingInADirectoryThatIsNotEmpty() throws IOException {
    Files.createDirectory(directory);
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    Files.writeString(directory.resolve("mine"), "mine");

    assertThatThrownBy(() -> EmbeddedDatabase.startRestore(directory))
        .isInstanceOf(StartupException.class)
        .hasMessageContaining("is not empty: expected an empty or a new one to restore into");
    assertThat(directory).isDirectoryContaining("glob:**/mine");
    assertThat(directory.resolve("server.lock")).doesNotExist();
    assertThat(permissions("")).isEqualTo("rwxrwxrwx");
  }

  @Test
  void takesTheRightToWriteFromOthers() throws IOException {
    Files.createDirectory(directory);
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));

    DataDirectory.prepare(directory);

    assertThat(permissions("")).isEqualTo("rwxr-xr-x");
  }

  @Test
  void refusesFilesThatLeadElsewhere() throws IOException {
    Files.createDirectory(directory);
    Path log = directory.resolve("postgresql.log");
    Files.createSymbolicLink(log, parent.resolve("elsewhere"));

    assertThatThrownBy(() -> DataDirectory.prepare(directory))
        .isInstanceOf(StartupException.class)
        .hasMessageEndingWith("postgresql.log is a symbolic link: expected a file or directory");
  }

  @Test
  void refusesAPathThatIsNoDirectory() throws IOException {
    Files.writeString(directory, "");

    assertThatThrownBy(() -> EmbeddedDatabase.start(directory))
        .isInstanceOf(StartupException.class)
        .hasMessage(
            "cannot use the data directory " + directory + ": a file with this name exists");
  }

  @Test
  void refusesAPathThatCannotBeWrittenTo() {
    assertThatThrownBy(() -> EmbeddedDatabase.start(Path.of("/proc/mintmark")))
        .isInstanceOf(StartupException.class)
        .hasMessageStartingWith("cannot use the data directory /proc/mintmark: ");
  }

  @Test
  void saysAtOnceWhatPostgresHadAgainstTheFiles() throws IOException {
    EmbeddedDatabase.start(directory).close();
    Files.writeString(directory.resolve("postgresql-18/postgresql.conf"), "no_such_setting = 1\n");

    assertThatThrownBy(() -> EmbeddedDatabase.start(directory))
        .isInstanceOf(StartupException.class)
        .hasMessageStartingWith("PostgreSQL did not start on ")
        .hasMessageContaining("contains errors (see ");
  }

  @Test
  void leavesNothingOfATemporaryDatabase() throws SQLException {
    Path data;
    try (EmbeddedDatabase database = EmbeddedDatabase.startTemporary()) {
      assertThat(query(database.jdbcUrl(), "show fsync")).isEqualTo("off");
      String cluster =
          query(
              database.jdbcUrl(),
              "select coalesce(current_setting('mintmark.directory', true),"
                  + " current_setting('data_directory'))");
      data = Path.of(cluster).getParent();
      assertThat(data).isDirectory();
    }

    assertThat(data).doesNotExist();
  }

  @Test
  void deletesATemporaryDatabaseThatWasNeverClosed() throws IOException {
    Path abandoned = Files.createTempDirectory("mintmark-temporary-");
    Path young = Files.createTempDirectory("mintmark-temporary-");
    Path lock = Files.createFile(abandoned.resolve("server.lock"));
    Files.createFile(young.resolve("server.lock"));
    Files.setLastModifiedTime(lock, FileTime.from(Instant.now().minusSeconds(120)));

    EmbeddedDatabase.startTemporary().close();

    assertThat(abandoned).doesNotExist();
    assertThat(young).exists();
    FileTree.delete(young);
  }

  @Test
  void unpacksItsProgramsOnceForAllWhoAsk() throws Exception {
    Path cache = Files.createDirectory(parent.resolve("cache"));
    // Like the directory that another process renames: it is listed, and then does not exist.
    Path gone = cache.resolve("unpacking-0");
    Files.createSymbolicLink(gone, parent.resolve("gone"));
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      Callable<Path> unpack = () -> PostgresBinaries.unpackedIn(cache).programs();

      List<Future<Path>> programs = threads.invokeAll(List.of(unpack, unpack));

      assertThat(programs.get(0).get()).isEqualTo(programs.get(1).get());
      assertThat(cache).isDirectoryContaining("glob:**/postgresql-18-*");
      Files.delete(gone);
      try (var entries = Files.list(cache)) {
        assertThat(entries).hasSize(1);
      }
      String postgres = programs.get(0).get().resolve("postgres").toString();
      assertThat(track(new ProcessBuilder(postgres, "--version").start()).waitFor()).isZero();
    } finally {
      threads.shutdownNow();
    }
  }

  /** As a cleaner of temporary files leaves it, or a power failure, or an earlier version. */
  @Test
  void unpacksFilesAgainThatAreMissing() throws Exception {
    Path cache = Files.createDirectory(parent.resolve("cache"));
    Path programs = PostgresBinaries.unpackedIn(cache).programs();
    Path postgres = programs.resolve("postgres");
    Path control = only(programs.resolveSibling("share"), "plpgsql.control");
    Path list = programs.resolveSibling(PostgresBinaries.FILES);
    Object used = fileKey(postgres);

    FileTree.delete(control.resolveSibling(""));
    assertThat(PostgresBinaries.unpackedIn(cache).programs()).isEqualTo(programs);
    assertThat(control).isNotEmptyFile();

    Files.write(control, new byte[0]);
    assertThat(PostgresBinaries.unpackedIn(cache).programs()).isEqualTo(programs);
    assertThat(control).isNotEmptyFile();

    Files.delete(list);
    assertThat(PostgresBinaries.unpackedIn(cache).programs()).isEqualTo(programs);
    assertThat(list).isNotEmptyFile();
    assertThat(fileKey(postgres)).as("what is there is not replaced").isEqualTo(used);
  }

  @Test
  void programsThatAreCompleteAreNotUnpackedAgain() throws IOException {
    Path cache = Files.createDirectory(parent.resolve("cache"));
    Path programs = PostgresBinaries.unpackedIn(cache).programs();
    Path list = programs.resolveSibling(PostgresBinaries.FILES);
    Object written = fileKey(list);

    assertThat(PostgresBinaries.unpackedIn(cache).programs()).isEqualTo(programs);

    assertThat(fileKey(list)).isEqualTo(written);
  }

  private static Path only(Path root, String name) throws IOException {
    try (Stream<Path> paths = Files.walk(root)) {
      return paths.filter(path -> path.endsWith(name)).findAny().orElseThrow();
    }
  }

  private static Object fileKey(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }

  private void cutSetUpShort() throws IOException, InterruptedException {
    Process holder = hold();
    Path configuration = directory.resolve("postgresql-18/postgresql.conf");
    while (!Files.exists(configuration)) {
      PollDelay.sleepMillis(1);
    }
    holder.destroyForcibly().waitFor();
  }

  private Process hold() throws IOException {
    return track(holder().start());
  }

  private ProcessBuilder holder() {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            HoldDatabase.class.getName(),
            directory.toString());
    return new ProcessBuilder(new ArrayList<>(command))
        .redirectError(ProcessBuilder.Redirect.INHERIT);
  }

  private Process track(Process process) {
    started.add(process);
    return process;
  }

  private static String readLine(Process process) throws IOException {
    BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
    return String.valueOf(output.readLine());
  }

  private long postmaster() throws IOException {
    Path pidFile = directory.resolve("postgresql-18/postmaster.pid");
    return Long.parseLong(Files.readAllLines(pidFile).get(0));
  }

  private static void signal(String name, ProcessHandle process)
      throws IOException, InterruptedException {
    String pid = Long.toString(process.pid());
    assertThat(new ProcessBuilder("kill", name, pid).start().waitFor()).isZero();
  }

  private static void kill(long pid) {
    ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
    process.destroyForcibly();
    while (process.info().arguments().isPresent()) {
      PollDelay.sleepMillis(10);
    }
  }

  private static void killSession(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet process = statement.executeQuery("select pg_catalog.pg_backend_pid()")) {
      process.next();
      kill(process.getLong(1));
    }
  }

  /** The threads that wait for the end of a PostgreSQL. */
  private static Set<Thread> watches() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("mintmark-watch-postgresql"))
        .collect(Collectors.toCollection(HashSet::new));
  }

  private String permissions(String name) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve(name)));
  }

  private static void execute(String url, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String query(String url, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return String.valueOf(rows.getString(1));
    }
  }
}
