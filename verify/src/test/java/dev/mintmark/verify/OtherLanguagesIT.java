package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mintmark.fixtures.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Python, the JavaScript and the SQL of docs/other-languages.md are run, against a server and
 * with the vectors.
 */
class OtherLanguagesIT {
  private static final Page PAGE = new Page("docs/other-languages.md");

  private static final Path MASKS = Checkout.root().resolve("vectors/masks.json");

  private static RunningServer server;
  private static Path directory;

  @BeforeAll
  static void start(@TempDir Path temporary) {
    directory = temporary;
    server = RunningServer.start(Mintmark.in(directory), directory.resolve("data"));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void pythonMintsAndClaims() throws Exception {
    require(runs("python3", "-c", "import sys; assert sys.version_info >= (3, 9)"), "Python 3.9");
    List<String> blocks = PAGE.blocks("python");
    Path program =
        write(
            "claims.py",
            blocks.get(0)
                + blocks.get(1)
                + """
                assert len(ids) == 3 and all(len(text) == 26 for text in ids), ids
                assert call("POST", "/v1/pools/public-ipv4/claims", {"client": "vm-43943"})["token"] != token
                """);

    assertThat(outputOf("python3", program.toString())).isEmpty();
  }

  @Test
  void nodeMintsAndClaims() throws Exception {
    requireNode();
    List<String> blocks = PAGE.blocks("js");
    Path program =
        write(
            "claims.mjs",
            blocks.get(0)
                + blocks.get(1)
                + """
                import assert from 'node:assert';
                assert.equal(ids.length, 3);
                assert.ok(ids.every((text) => text.length === 26));
                const again = await call('POST', '/v1/pools/public-ipv4/claims', { client: 'vm-43944' });
                assert.notEqual(again.token, token);
                await assert.rejects(call('GET', '/v1/pools/nowhere'), { code: 'pool-not-found' });
                """);

    assertThat(outputOf("node", program.toString())).isEmpty();
  }

  @Test
  void pythonOpensTheFacesOfTheVectors() throws Exception {
    require(
        runs("python3", "-c", "from cryptography.hazmat.primitives.ciphers import Cipher"),
        "Python with cryptography");
    Path program =
        write(
            "masks.py",
            last("python")
                + """
                import json, sys

                def opened(vector):
                    width = {"bigint": 64, "uuid": 128}[vector["storage"]]
                    key = mask_key(bytes.fromhex(vector["secret"]), vector["key_label"], width)
                    try:
                        return str(open_face(vector["face"], vector["mask"], vector["key"], key, width))
                    except ValueError:
                        return None

                vectors = [v for v in json.load(open(sys.argv[1])) if "shape" not in v]
                print([v["name"] for v in vectors if opened(v) != v.get("id")], len(vectors) > 25)
                """);

    assertThat(outputOf("python3", program.toString(), MASKS.toString())).isEqualTo("[] True\n");
  }

  @Test
  void nodeOpensTheFacesOfTheVectors() throws Exception {
    requireNode();
    Path program =
        write(
            "masks.mjs",
            last("js")
                + """
                import { readFileSync } from 'node:fs';

                function opened(vector) {
                  const width = { bigint: 64, uuid: 128 }[vector.storage];
                  const key = maskKey(Buffer.from(vector.secret, 'hex'), vector.key_label, width);
                  try {
                    return String(openFace(vector.face, vector.mask, vector.key, key, width));
                  } catch (e) {
                    return undefined;
                  }
                }

                const vectors = JSON.parse(readFileSync(process.argv[2], 'utf8')).filter((v) => !v.shape);
                console.log(JSON.stringify(vectors.filter((v) => opened(v) !== v.id)), vectors.length > 25);
                """);

    assertThat(outputOf("node", program.toString(), MASKS.toString())).isEqualTo("[] true\n");
  }

  /** The statements of the page, and those that its programs send, with values for parameters. */
  @Test
  void statementsRun() throws SQLException {
    try (Connection connection = DriverManager.getConnection(server.databaseUrl());
        Statement statement = connection.createStatement()) {
      for (String block : PAGE.blocks("sql")) {
        statement.execute(block);
      }
      for (String language : List.of("python", "js", "go")) {
        List<String> sent = sent(String.join("\n", PAGE.blocks(language)));
        assertThat(sent).as(language).hasSize(2);
        for (String sql : sent) {
          statement.execute(sql.replaceAll("%s|\\$\\d", "null::uuid"));
        }
      }
    }
  }

  private static List<String> sent(String program) {
    return Pattern.compile("[\"'](call mintmark\\..*?\\)|select id, .*? limit 100)[\"']")
        .matcher(program)
        .results()
        .map((MatchResult quoted) -> quoted.group(1))
        .toList();
  }

  private static String last(String language) {
    List<String> blocks = PAGE.blocks(language);
    return blocks.get(blocks.size() - 1);
  }

  private static Path write(String name, String program) throws IOException {
    return Files.writeString(directory.resolve(name), program);
  }

  private static void requireNode() throws Exception {
    require(runs("node", "-e", "if (!globalThis.fetch) process.exit(1)"), "Node.js 18");
  }

  private static void require(boolean isMet, String tool) {
    if (!isMet) {
      assertThat(System.getenv("CI")).as(tool + " is not installed").isNotEqualTo("true");
      System.err.println("NOT TESTED: docs/other-languages.md: not installed: " + tool);
    }
    assumeTrue(isMet);
  }

  private static boolean runs(String... command) throws Exception {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getInputStream().readAllBytes();
      return process.waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static String outputOf(String... command) throws Exception {
    Path output = Files.createTempFile(directory, "output", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().put("MINTMARK_URL", server.console().toString().replaceFirst("/$", ""));
    Process process = builder.start();
    boolean isOver = process.waitFor(Patience.MAX.toMillis(), TimeUnit.MILLISECONDS);
    process.destroyForcibly();
    String printed = Files.readString(output);
    assertThat(isOver && process.exitValue() == 0).as(printed).isTrue();
    return printed;
  }
}
