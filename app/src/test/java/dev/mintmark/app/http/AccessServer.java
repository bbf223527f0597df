package dev.mintmark.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Catalog;
import dev.mintmark.app.access.Access;
import dev.mintmark.app.access.AuditEntry;
import dev.mintmark.app.access.AuditFilter;
import dev.mintmark.app.access.KeyRequest;
import dev.mintmark.app.access.KeyText;
import dev.mintmark.app.access.Scope;
import dev.mintmark.app.access.TokenRules;
import dev.mintmark.app.access.Tokens;
import dev.mintmark.app.database.Database;
import dev.mintmark.app.database.OwnDatabases;
import dev.mintmark.app.service.RowSearch;
import dev.mintmark.app.view.Json;
import dev.mintmark.catalog.CatalogReader;
import dev.mintmark.fixtures.HttpContract;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.postgres.pool.Pools;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A server with the tables of keys and of the audit, and what tests ask of it. */
final class AccessServer implements AutoCloseable {
  private static final Catalog CATALOG =
      CatalogReader.read(
          "mintmark.yaml",
          """
          namespace: bobsburgers
          code: b
          collections:
            tracks: { kind: ulid, table: tracks, find: { columns: [title] } }
            payments: { kind: ulid, table: payments, find: { columns: [id] } }
          """);

  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final HttpContract CONTRACT = HttpContract.of(ContractTest.document());

  private final Database database;
  private final boolean ownsDatabase;
  private final DataSource keyTable;
  private final Access access;
  private final Server server;

  private AccessServer(
      Database database, boolean ownsDatabase, ServerOptions options, Optional<TokenRules> tokens) {
    this.database = database;
    this.ownsDatabase = ownsDatabase;
    this.keyTable = database.connectionPool("access", 2);
    this.access = Access.open(keyTable, tokens.map(Tokens::new));
    Pools pools = Pools.over(database.connectionPool("test", 4));
    RowSearch rows = RowSearch.of(CATALOG, Optional.empty(), database.connectionPool("find", 1));
    this.server =
        Server.start(
            options, Served.of(CATALOG, pools).withRows(rows).withAccess(Optional.of(access)));
  }

  /** Starts a database and a server. */
  static AccessServer start() {
    Database database = OwnDatabases.open();
    database.createAccessTables();
    return new AccessServer(database, true, ServerOptions.onLoopback(0), Optional.empty());
  }

  /** Starts another server on the same database. */
  AccessServer another(Listening listening) {
    return another(ServerOptions.at(listening));
  }

  AccessServer another(ServerOptions options) {
    return new AccessServer(database, false, options, Optional.empty());
  }

  /** Starts another server on the same database, which accepts tokens as well. */
  AccessServer accepting(TokenRules tokens) {
    return new AccessServer(database, false, ServerOptions.onLoopback(0), Optional.of(tokens));
  }

  /** An answer, which was checked against the contract. */
  record Answer(HttpResponse<String> response) {
    int status() {
      return response.statusCode();
    }

    String body() {
      return response.body();
    }

    JsonNode json() {
      return Json.MAPPER.readTree(response.body());
    }

    String code() {
      return json().path("code").asString("none");
    }

    String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }

    Answer assertProblem(int status, String code) {
      assertThat(status()).as(body()).isEqualTo(status);
      assertThat(code()).isEqualTo(code);
      return this;
    }

    Answer assertStatus(int status) {
      assertThat(status()).as(body()).isEqualTo(status);
      return this;
    }
  }

  /** Creates a key in the database, as the command does, and lets this server read it. */
  KeyText key(String... scopes) {
    return key(Optional.empty(), Optional.empty(), scopes);
  }

  KeyText key(Optional<String> owner, Optional<Instant> expiresAt, String... scopes) {
    KeyText text =
        access
            .keys()
            .create(
                new KeyRequest(
                    "test", Arrays.stream(scopes).map(Scope::parse).toList(), owner, expiresAt),
                Optional.empty(),
                AuditEntry.begun(
                    Instant.now(),
                    new AuditEntry.Actor("command:test", "", "here", Optional.empty()),
                    "key create",
                    "",
                    ""),
                "exit 0")
            .text();
    access.ring().refresh();
    return text;
  }

  /** Ends the time of a key now. Servers see that when they read the keys again. */
  void expire(KeyText key) throws SQLException {
    try (Connection connection = keyTable.getConnection();
        PreparedStatement statement =
            connection.prepareStatement(
                "update mintmark.access_key set expires_at = pg_catalog.now() where key_id = ?")) {
      statement.setString(1, key.id());
      assertThat(statement.executeUpdate()).isOne();
    }
  }

  /** Runs statements in the database. */
  void execute(String sql) {
    try (Connection connection = keyTable.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  Access access() {
    return access;
  }

  int port() {
    return server.port();
  }

  /** The latest entries of the audit. */
  List<AuditEntry> audit(int limit) {
    access.queue().store();
    return access.audit().list(AuditFilter.ALL, OptionalLong.empty(), limit);
  }

  Answer get(@Nullable KeyText key, String path) {
    return send(key, "GET", path, null);
  }

  Answer post(@Nullable KeyText key, String path, String body) {
    return send(key, "POST", path, body);
  }

  /** Sends a request with the text of a key or of a token. */
  Answer sendAs(String proof, String method, String path, @Nullable String body) {
    return send(null, method, path, body, "Authorization", "Bearer " + proof);
  }

  Answer send(
      @Nullable KeyText key, String method, String path, @Nullable String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
            .timeout(Patience.MAX)
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (body != null) {
      request.header("Content-Type", "application/json");
    }
    if (key != null) {
      request.header("Authorization", "Bearer " + key.text());
    }
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      HttpResponse<String> response = CLIENT.send(request.build(), BodyHandlers.ofString());
      CONTRACT.check(response, body);
      return new Answer(response);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Creates a pool from its declaration in JSON. */
  void createPool(KeyText key, String declaration) {
    post(key, "/v1/pools", declaration).assertStatus(201);
  }

  /** Sends a head as it is, and returns the whole response. */
  String raw(String head) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
      socket.setSoTimeout(Math.toIntExact(Patience.MAX.toMillis()));
      socket
          .getOutputStream()
          .write((head + "Connection: close\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Override
  public void close() {
    server.close();
    if (ownsDatabase) {
      database.close();
    }
  }
}
