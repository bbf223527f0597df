package dev.mintmark.app.storm;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.mintmark.app.database.Database;
import dev.mintmark.app.view.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Rival} behind the smallest server, as a {@linkplain StormPipe child process} of a storm:
 * the HTTP server of the JDK, with a thread for each connection to the database and a prepared
 * statement on each of them. {@code POST /claims} with the body of a claim of Mintmark, <code>
 * {"client":"client-5"}</code>, is answered by 201 with <code>{"value":"10.0.0.1"}</code>, or by
 * 409 without a body.
 *
 * <p>Thread-safe, except that {@link #begin} is called while there are no requests.
 */
final class RivalServer implements StormPipe.Instance {
  static final String PATH = "claims";

  /** As many connections wait to be accepted as in Tomcat. */
  private static final int BACKLOG = 100;

  private static final int CREATED = 201;
  private static final int CONFLICT = 409;
  private static final int FAILED = 500;
  private static final int WITHOUT_BODY = -1;

  private final Rival rival;
  private final int number;
  private final String schema;
  private final List<Connection> connections;
  private final BlockingQueue<RivalInstance.Query> queries =
      new ArrayBlockingQueue<>(StormServer.CONNECTIONS);
  private volatile @Nullable RivalInstance instance;

  private RivalServer(Rival rival, int number, String schema, List<Connection> connections) {
    this.rival = rival;
    this.number = number;
    this.schema = schema;
    this.connections = connections;
  }

  /** The arguments of the process. */
  static List<String> arguments(Rival rival, int number, String schema) {
    return List.of(RivalServer.class.getName(), rival.label(), Integer.toString(number), schema);
  }

  public static void main(String[] args) throws IOException, SQLException {
    StormPipe pipe = new StormPipe();
    try (Database database = Database.connectAsItIs(pipe.database())) {
      var pool = database.servingConnectionPool("rival-server", StormServer.CONNECTIONS);
      List<Connection> connections = new ArrayList<>();
      for (int i = 0; i < StormServer.CONNECTIONS; i++) {
        connections.add(pool.getConnection());
      }
      RivalServer rival =
          new RivalServer(Rival.of(args[0]), Integer.parseInt(args[1]), args[2], connections);
      HttpServer http =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
      ExecutorService threads = Executors.newFixedThreadPool(StormServer.CONNECTIONS);
      http.setExecutor(threads);
      http.createContext("/" + PATH, rival::handle);
      http.start();
      pipe.serve(http.getAddress().getPort(), rival);
    }
    System.exit(0);
  }

  @Override
  public void begin(Storm storm) {
    RivalInstance begun = new RivalInstance(rival, storm, number, System::nanoTime);
    try {
      List<RivalInstance.Query> ended = new ArrayList<>();
      queries.drainTo(ended);
      for (RivalInstance.Query query : ended) {
        query.close();
      }
      for (Connection connection : connections) {
        queries.add(begun.prepare(connection, schema));
      }
    } catch (SQLException e) {
      throw new IllegalStateException("the rival's statement: " + e.getMessage(), e);
    }
    instance = begun;
  }

  @Override
  public Storm.Effort effort() {
    return Objects.requireNonNull(instance, "no storm has begun").effort();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      Optional<String> granted =
          claim(Storm.clientOf(Json.MAPPER.readTree(body).path("client").stringValue()));
      if (granted.isPresent()) {
        answer(exchange, CREATED, Json.MAPPER.writeValueAsBytes(Map.of("value", granted.get())));
      } else {
        exchange.sendResponseHeaders(CONFLICT, WITHOUT_BODY);
      }
    } catch (SQLException e) {
      answer(exchange, FAILED, String.valueOf(e.getMessage()).getBytes(StandardCharsets.UTF_8));
    }
  }

  private Optional<String> claim(int client) throws SQLException {
    RivalInstance.Query query = queries.remove();
    try {
      return query.claim(client);
    } finally {
      queries.add(query);
    }
  }

  private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }
}
