package dev.mintmark.verify;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mintmark.fixtures.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A primary and two standbys on this machine, which Patroni replaces for one another by what one
 * etcd says. It consists of Debian's packages; without them the test is skipped with a line {@code
 * NOT TESTED}, or fails if {@code CI=true}. Nothing of it outlives this process.
 *
 * <pre>
 *   programs ---------------------------> PostgreSQL, port of the node
 *   standbys, pg_rewind ---> relay -----> PostgreSQL, port of the node
 *   Patroni of the node ---> relay -----> etcd
 * </pre>
 *
 * <p>Patroni uses version 2 of etcd's interface, which changes the leader's key only if it has not
 * changed: with version 3, Debian's Patroni 3.0.2 may let a primary that was paused take its place
 * back.
 *
 * <p>If both relays of the primary are cut, it is partitioned in the worst way: programs still
 * reach it.
 */
final class PatroniCluster implements AutoCloseable {
  /** The shortest time that Patroni accepts: how long a leader is one without renewing its key. */
  static final Duration LEADER_TTL = Duration.ofSeconds(20);

  private static final Path PROGRAMS = Path.of("/usr/lib/postgresql/15/bin");

  /** What must be there, and the package of Debian that has it. */
  private static final List<List<String>> REQUIRED =
      List.of(
          List.of("/usr/bin/patroni", "patroni"),
          List.of("/usr/bin/etcd", "etcd-server"),
          List.of("/usr/lib/python3/dist-packages/etcd", "python3-etcd"),
          List.of(PROGRAMS.resolve("pg_rewind").toString(), "postgresql-15"),
          List.of("/usr/bin/setpriv", "util-linux"));

  /** The number of {@code nobody}: PostgreSQL does not run as root. */
  private static final int NOBODY = 65_534;

  private static final boolean IS_ROOT = "root".equals(System.getProperty("user.name"));
  private static final int NODES = 3;
  private static final Duration ANSWER_MAX = Duration.ofSeconds(2);

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(ANSWER_MAX).build();
  private final Path directory;
  private final Process guard;
  private final List<Node> nodes;

  /** One PostgreSQL with its Patroni. */
  record Node(
      String name,
      Path directory,
      int postgresPort,
      int patroniPort,
      Relay toEtcd,
      Relay toPostgres) {
    @Override
    public String toString() {
      return name;
    }
  }

  private PatroniCluster(Path directory, List<Node> nodes) {
    this.directory = directory;
    this.nodes = nodes;
    this.guard = ClusterGuard.start(directory);
  }

  /** Skips the test if a package is missing, or fails if {@code CI=true}. */
  static void requirePackages() {
    List<String> missing =
        REQUIRED.stream()
            .filter(required -> !Files.exists(Path.of(required.get(0))))
            .map(required -> required.get(1))
            .toList();
    if (!missing.isEmpty() && "true".equals(System.getenv("CI"))) {
      throw new IllegalStateException("failover cannot be tested: not installed: " + missing);
    }
    if (!missing.isEmpty()) {
      System.err.println("NOT TESTED: failover: not installed: " + missing);
    }
    assumeTrue(missing.isEmpty());
  }

  /** Starts one with synchronous replication, and waits until it is complete. */
  static PatroniCluster start() {
    requirePackages();
    int etcdPort = Ports.free();
    Path directory = newDirectory();
    PatroniCluster cluster =
        new PatroniCluster(
            directory,
            IntStream.rangeClosed(1, NODES).mapToObj(i -> node(directory, i, etcdPort)).toList());
    try {
      cluster.startEtcd(etcdPort);
      cluster.nodes.forEach(node -> cluster.configure(node));
      cluster.nodes.forEach(cluster::start);
      cluster.awaitComplete(true);
      return cluster;
    } catch (RuntimeException | AssertionError e) {
      cluster.close();
      throw e;
    }
  }

  private static Node node(Path directory, int number, int etcdPort) {
    int postgresPort = Ports.free();
    String name = "node" + number;
    return new Node(
        name,
        directory.resolve(name),
        postgresPort,
        Ports.free(),
        new Relay(etcdPort),
        new Relay(postgresPort));
  }

  private static Path newDirectory() {
    try {
      Path created = Files.createTempDirectory("mintmark-failover-");
      Files.setPosixFilePermissions(created, PosixFilePermissions.fromString("rwxr-xr-x"));
      return created;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void createDirectory(Path created) throws IOException {
    Files.createDirectory(created);
    if (IS_ROOT) {
      Files.setAttribute(created, "unix:uid", NOBODY);
    }
  }

  private void startEtcd(int port) {
    String url = "http://127.0.0.1:" + port;
    String peerUrl = "http://127.0.0.1:" + Ports.free();
    try {
      createDirectory(directory.resolve("etcd"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    run(
        directory.resolve("etcd"),
        "/usr/bin/etcd",
        "--enable-v2",
        "--data-dir=" + directory.resolve("etcd/data"),
        "--listen-client-urls=" + url,
        "--advertise-client-urls=" + url,
        "--listen-peer-urls=" + peerUrl,
        "--initial-advertise-peer-urls=" + peerUrl,
        "--initial-cluster=default=" + peerUrl);
    // Patroni ends if it asks before etcd has decided which version it is.
    await(
        "etcd",
        () ->
            send(HttpRequest.newBuilder(URI.create(url + "/version")).timeout(ANSWER_MAX).build())
                .filter(answer -> answer.body().contains("\"etcdcluster\":\"3")));
  }

  private void configure(Node node) {
    try {
      createDirectory(node.directory);
      Files.writeString(
          node.directory.resolve("patroni.yml"),
          """
          scope: failover
          name: %1$s
          restapi: { listen: "127.0.0.1:%2$d", connect_address: "127.0.0.1:%2$d" }
          etcd: { proxy: "http://127.0.0.1:%3$d" }
          bootstrap:
            dcs:
              ttl: %4$d
              loop_wait: 1
              retry_timeout: 3
              maximum_lag_on_failover: 1073741824
              synchronous_mode: true
              postgresql:
                use_pg_rewind: true
                parameters: { max_connections: 80, shared_buffers: 32MB, wal_keep_size: 512MB,
                              wal_retrieve_retry_interval: 500ms, fsync: "off" }
            initdb: [ encoding: UTF8, locale: C, no-sync, data-checksums ]
            pg_hba: [ host all all 127.0.0.1/32 trust, host replication all 127.0.0.1/32 trust ]
          postgresql:
            listen: "127.0.0.1:%5$d"
            connect_address: "127.0.0.1:%6$d"
            data_dir: %7$s/data
            bin_dir: %8$s
            authentication:
              superuser: { username: postgres }
              replication: { username: replicator }
              rewind: { username: rewinder }
            parameters: { unix_socket_directories: "" }
          watchdog: { mode: "off" }
          """
              .formatted(
                  node.name,
                  node.patroniPort,
                  node.toEtcd.port(),
                  LEADER_TTL.toSeconds(),
                  node.postgresPort,
                  node.toPostgres.port(),
                  node.directory,
                  PROGRAMS));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts the Patroni of a node, which starts PostgreSQL. */
  void start(Node node) {
    run(node.directory, "/usr/bin/patroni", node.directory.resolve("patroni.yml").toString());
  }

  private static void run(Path directory, String... program) {
    List<String> command =
        new ArrayList<>(
            IS_ROOT
                ? List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups")
                : List.of());
    command.addAll(List.of(program));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(
                ProcessBuilder.Redirect.appendTo(directory.resolve("log.txt").toFile()));
    builder.environment().put("HOME", directory.toString());
    builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
    try {
      builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The directory of everything that it consists of. */
  Path directory() {
    return directory;
  }

  /** The address of a database for programs: all nodes, in their order. */
  String jdbcUrl(String database) {
    return nodes.stream()
        .map(node -> "127.0.0.1:" + node.postgresPort)
        .collect(Collectors.joining(",", "jdbc:postgresql://", "/" + database + "?user=postgres"));
  }

  /** Connects to the primary, once there is one. */
  Connection connect(String database) {
    return await(
        "a primary that answers",
        () -> {
          try {
            return Optional.of(
                DriverManager.getConnection(
                    jdbcUrl(database)
                        + "&targetServerType=primary&connectTimeout=2&socketTimeout=10"));
          } catch (SQLException e) {
            return Optional.empty();
          }
        });
  }

  /** Runs a statement on the primary, in the database {@code postgres}. */
  void execute(String sql) {
    try (Connection connection = connect("postgres");
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The node that is the primary and has the leader's key. */
  Node primary() {
    return await("a primary", () -> nodes.stream().filter(this::isPrimary).findFirst());
  }

  /** Waits until another node than this one is the primary, and returns it. */
  Node awaitPrimaryOtherThan(Node earlier) {
    return await(
        "another primary than " + earlier,
        () ->
            nodes.stream()
                .filter(node -> !node.equals(earlier))
                .filter(this::isPrimary)
                .findFirst());
  }

  private boolean isPrimary(Node node) {
    return ask(node, "/primary").filter(answer -> answer.statusCode() == 200).isPresent();
  }

  /** Waits until all nodes run and replicate. */
  void awaitComplete(boolean isSynchronous) {
    await(
        "three nodes that run",
        () ->
            nodes.stream()
                .flatMap(node -> ask(node, "/cluster").stream())
                .filter(answer -> isComplete(answer.body(), isSynchronous))
                .findFirst());
  }

  private static boolean isComplete(String cluster, boolean isSynchronous) {
    List<JsonNode> members =
        StreamSupport.stream(
                JsonMapper.shared().readTree(cluster).path("members").spliterator(), false)
            .filter(member -> member.path("state").asString().equals("running"))
            .filter(
                member ->
                    member.path("role").asString().equals("leader")
                        || member.path("lag").isIntegralNumber())
            .toList();
    return members.size() == NODES
        && members.stream().map(member -> member.path("timeline").intValue()).distinct().count()
            == 1
        && (!isSynchronous
            || members.stream()
                .anyMatch(member -> member.path("role").asString().equals("sync_standby")));
  }

  /** Turns synchronous replication on or off, and waits until it is. */
  void setSynchronous(boolean isSynchronous) {
    HttpRequest request =
        request(primary(), "/config")
            .method(
                "PATCH",
                BodyPublishers.ofString("{\"synchronous_mode\": %s}".formatted(isSynchronous)))
            .build();
    await("new settings", () -> send(request).filter(answer -> answer.statusCode() == 200));
    awaitComplete(isSynchronous);
    await(
        "synchronous_standby_names",
        () ->
            Optional.of(query("show synchronous_standby_names").isEmpty())
                .filter(none -> none != isSynchronous));
  }

  private String query(String sql) {
    try (Connection connection = connect("postgres");
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Kills PostgreSQL and Patroni of a node. */
  void kill(Node node) {
    Processes.killAll(node.directory);
  }

  /** Halts all processes of a node. */
  void pause(Node node) {
    Processes.haltAll(node.directory);
  }

  /** Lets the processes of a node continue. */
  void wake(Node node) {
    Processes.resume(Processes.familyIn(node.directory));
  }

  /** Halts what sends the changes of a primary to its standbys: later commits do not reach them. */
  void haltReplication(Node primary) {
    Processes.halt(
        Processes.familyIn(primary.directory).stream()
            .filter(process -> Processes.title(process).contains("walsender replicator"))
            .toList());
  }

  /** Cuts a node off from etcd and from the other nodes, or ends that. */
  void partition(Node node, boolean isCut) {
    node.toEtcd.cut(isCut);
    node.toPostgres.cut(isCut);
  }

  private Optional<HttpResponse<String>> ask(Node node, String path) {
    return send(request(node, path).GET().build());
  }

  private static HttpRequest.Builder request(Node node, String path) {
    return HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:%d%s".formatted(node.patroniPort, path)))
        .timeout(ANSWER_MAX);
  }

  /** Returns the answer; empty if there is none, for example because the node is halted. */
  private Optional<HttpResponse<String>> send(HttpRequest request) {
    try {
      return Optional.of(http.send(request, BodyHandlers.ofString()));
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Waits with patience; a failure shows the ends of the logs. */
  private <T> T await(String what, Supplier<Optional<T>> look) {
    return Eventually.present(what, this::logs, look);
  }

  private String logs() {
    return Stream.concat(nodes.stream().map(Node::directory), Stream.of(directory.resolve("etcd")))
        .map(place -> place + "\n" + endOf(place.resolve("log.txt")))
        .collect(Collectors.joining("\n"));
  }

  private static String endOf(Path log) {
    try {
      List<String> lines = Files.readAllLines(log);
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Override
  public void close() {
    Processes.killAll(directory);
    nodes.forEach(
        node -> {
          node.toEtcd.close();
          node.toPostgres.close();
        });
    try {
      guard.getOutputStream().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
