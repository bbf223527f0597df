package dev.mintmark.warehouse;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mintmark.fixtures.Conformance;
import dev.mintmark.fixtures.Conformance.Surface;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The JavaScript bodies of a printed script, run by Node.js, whose engine is V8. The process reads
 * a line for each request, a function and a list of its arguments, and writes a line of results. It
 * ends with this JVM, which closes its standard input.
 */
final class NodeBodies implements Bodies {
  private static final String PROGRAM =
      """
      const functions = {};
      const lines = require('node:readline').createInterface({ input: process.stdin });
      let defined = false;
      lines.on('line', (line) => {
        const request = JSON.parse(line);
        if (!defined) {
          for (const [name, source] of Object.entries(request)) functions[name] = (0, eval)(source);
          defined = true;
          console.log('[]');
          return;
        }
        const [name, rows] = request;
        const results = rows.map((row) => {
          try {
            const value = functions[name](...row);
            return value === null || value === undefined ? null : String(value);
          } catch (error) {
            return [String(error)];
          }
        });
        process.stdout.write(JSON.stringify(results) + '\\n');
      });
      """;

  /** Without lone surrogates, which UTF-8 does not have. */
  private static final JsonMapper ASCII =
      JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private static final Map<Warehouse, NodeBodies> OF_ENGINES = new EnumMap<>(Warehouse.class);

  private final Warehouse warehouse;
  private final BufferedWriter requests;
  private final BufferedReader results;

  private NodeBodies(Warehouse warehouse) {
    this.warehouse = warehouse;
    try {
      Process node =
          new ProcessBuilder("node", "-e", PROGRAM)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      this.requests = node.outputWriter(UTF_8);
      this.results = node.inputReader(UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    ask(PrintedBodies.of(warehouse).sources());
  }

  /**
   * Returns the bodies of each warehouse; none without Node.js, which is reported, and fails in
   * continuous integration.
   */
  static Stream<Bodies> installed() {
    if (version().isPresent()) {
      return PrintedBodies.engines().stream()
          .map(engine -> OF_ENGINES.computeIfAbsent(engine, NodeBodies::new));
    }
    if ("true".equals(System.getenv("CI"))) {
      throw new IllegalStateException("JavaScript cannot be tested in V8: no node is installed");
    }
    System.err.println("NOT TESTED: the JavaScript for warehouses in V8: no node is installed");
    return Stream.empty();
  }

  /** Returns the major version. */
  private static Optional<String> version() {
    try {
      Process node =
          new ProcessBuilder("node", "--print", "process.versions.node.split('.')[0]").start();
      return node.inputReader(UTF_8).lines().findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns the results of a function for each row of arguments. Null if it is null or an error.
   */
  List<@Nullable String> calls(String function, List<List<String>> rows) {
    List<@Nullable String> results = new ArrayList<>();
    for (JsonNode result : ask(List.of(function, rows))) {
      results.add(result.isString() ? result.stringValue() : null);
    }
    return results;
  }

  @Override
  public @Nullable String call(String function, @Nullable String... arguments) {
    JsonNode result = answer(function, arguments);
    if (result.isArray()) {
      throw new IllegalStateException(result.path(0).stringValue());
    }
    return result.isNull() ? null : result.stringValue();
  }

  @Override
  public String refusal(String function, String... arguments) {
    JsonNode result = answer(function, arguments);
    return result.isArray() ? result.path(0).stringValue() : "answered " + result;
  }

  @Override
  public Conformance compared() {
    return Conformance.of(
        warehouse == Warehouse.BIGQUERY ? Surface.BIGQUERY_IN_NODE : Surface.SNOWFLAKE_IN_NODE,
        "V8 of Node.js " + version().orElseThrow());
  }

  @Override
  public String toString() {
    return warehouse + " in Node.js";
  }

  private JsonNode answer(String function, @Nullable String... arguments) {
    return ask(new Object[] {function, new Object[] {arguments}}).path(0);
  }

  private synchronized JsonNode ask(Object request) {
    try {
      requests.write(ASCII.writeValueAsString(request));
      requests.newLine();
      requests.flush();
      String line = results.readLine();
      if (line == null) {
        throw new IllegalStateException("node ended");
      }
      return ASCII.readTree(line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
