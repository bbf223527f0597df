package dev.mintmark.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.app.database.OwnDatabases;
import dev.mintmark.app.view.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The commands that find, label and change claims of a pool, on a database. */
@Tag("slow")
class PoolClaimCommandsTest {
  private static final String DATABASE = OwnDatabases.create();

  private static Outcome run(String... arguments) {
    String[] command =
        Stream.concat(
                Stream.concat(Stream.of("pool"), Stream.of(arguments)),
                Stream.of("--database-url", DATABASE))
            .toArray(String[]::new);
    return Outcome.of(command);
  }

  @Test
  void claimsAreLabelledAndFound() {
    run("create", "labels", "--block", "10.0.0.0/29", "--order", "ascending", "--history", "1d");
    run("claim", "labels", "--client", "vm-1", "--owner", "acme", "--label", "rack:b7");
    run("claim", "labels", "--client", "vm-2", "--owner", "acme");
    String claims = run("list", "labels", "--label", "rack:b7").out;
    assertThat(claims.lines()).hasSize(1);
    assertThat(claims).startsWith("10.0.0.1  vm-1  owner acme").contains("  rack:b7");
    String token = claims.replaceAll("(?s).* token (\\d+).*", "$1");

    Outcome written =
        run("label", "labels", "10.0.0.1", "--token", token, "--label", "rack:c", "--label", "a:");
    assertThat(written.status).isZero();
    assertThat(written.out.strip()).isEqualTo("10.0.0.1  a:  rack:c");
    assertThat(run("label", "labels", "10.0.0.1", "--token", "0", "--label", "x:y").status)
        .isEqualTo(1);
    assertThat(run("list", "labels", "--label-prefix", "rack:").out).contains("  a:  rack:c");
    assertThat(run("list", "labels", "--client-prefix", "vm-").out.lines()).hasSize(2);
    assertThat(run("list", "labels", "--owner-prefix", "b").out).isEmpty();

    run("release", "labels", "10.0.0.1", "--token", token);
    assertThat(run("history", "labels", "--label", "rack:c").out).contains("released", "rack:c");
  }

  @Test
  void aValueIsReservedForAClientThatHasNotCome() {
    run("create", "reserved", "--block", "10.3.0.0/29", "--lease", "1m");
    String[] claim = {"claim", "reserved", "--client", "vm-9", "--json"};
    run(
        "claim",
        "reserved",
        "--client",
        "vm-9",
        "--value",
        "10.3.0.4",
        "--lease",
        "3650d",
        "--label",
        "reserved:today");
    for (int i = 0; i < 6; i++) {
      run("claim", "reserved", "--client", "other-" + i);
    }
    assertThat(run("list", "reserved", "--label-prefix", "reserved:").out).startsWith("10.3.0.4 ");

    JsonNode found = Json.MAPPER.readTree(run(claim).out);

    assertThat(found.path("value").asString()).isEqualTo("10.3.0.4");
    String token = found.path("token").asString();
    String end = found.path("expires_at").asString();
    run("renew", "reserved", "10.3.0.4", "--token", token, "--lease", "1m");
    assertThat(Json.MAPPER.readTree(run(claim).out).path("expires_at").asString()).isEqualTo(end);
  }

  @Test
  void prefixesAreValues(@TempDir Path directory) throws IOException {
    run("create", "pods", "--block", "10.244.0.0/16 by /24", "--exclude", "10.244.0.1");
    run("claim", "pods", "--client", "node-1");
    Path file = directory.resolve("used.csv");
    String used = "value,client\n10.244.9.0/24,node-9\n";
    Files.writeString(file, used + "10.244.9.0/25,node-8\n");

    assertThat(run("import", "pods", file.toString()).err)
        .contains("line 3: 10.244.9.0/25: no block of the pool has it");
    Files.writeString(file, used);
    assertThat(run("import", "pods", file.toString(), "--yes").status).isZero();
    assertThat(run("list", "pods").out.lines().map(line -> line.replaceAll("  +.*", "")))
        .containsExactly("10.244.1.0/24", "10.244.9.0/24");
    assertThat(run("quarantine", "pods", "10.244.2.0/24", "--for", "1h").status).isZero();
    assertThat(run("free", "pods", "--limit", "1").out.strip()).isEqualTo("10.244.3.0/24");
    assertThat(run("drain", "pods", "10.244.0.0/16 by /24").status).isZero();
  }

  @Test
  void aFileIsImportedAfterAPlanAndExported(@TempDir Path directory) throws IOException {
    run("create", "imported", "--block", "10.2.0.0/29");
    Path file = directory.resolve("used.csv");
    Files.writeString(file, "value,client,owner\n10.2.0.1,vm-1,acme\n10.9.9.9,vm-2,\n");

    Outcome plan = run("import", "imported", file.toString());
    assertThat(plan.status).isEqualTo(1);
    assertThat(plan.out.strip())
        .isEqualTo("csv: 2 lines: 1 would be claimed, 0 held already, 0 skipped, 1 rejected");
    assertThat(plan.err)
        .contains("line 3: 10.9.9.9: no block of the pool has it", "nothing was changed");
    assertThat(run("import", "imported", file.toString(), "--yes").status).isEqualTo(1);
    assertThat(run("list", "imported").out).as("a line is rejected").isEmpty();

    Outcome done = run("import", "imported", file.toString(), "--yes", "--skip-bad", "--json");
    assertThat(done.status).isEqualTo(1);
    assertThat(done.out).contains("\"done\" : true", "\"claimed\" : 1", "\"rejected\" : 1");
    assertThat(done.err.lines()).as("each rejected line once").hasSize(1);

    Outcome exported = run("export", "imported");
    assertThat(exported.status).isZero();
    Files.writeString(file, exported.out);
    assertThat(run("import", "imported", file.toString(), "--yes").out.strip())
        .isEqualTo("csv: 1 lines: 0 claimed, 1 held already, 0 skipped, 0 rejected");
    assertThat(run("export", "imported", "--format", "json").out)
        .startsWith("{\"pool\":\"imported\",\"value\":\"10.2.0.1\",\"client\":\"vm-1\"");
    assertThat(run("import", "imported", directory.toString()).status).isEqualTo(3);
    Files.writeString(file, "a,b\n");
    assertThat(run("import", "imported", file.toString()).status).isEqualTo(2);
  }

  @Test
  void manyClaimsAreRenewedAndReleasedByOneCommand() {
    run("create", "many", "--block", "10.1.0.0/29", "--lease", "1h");
    for (String client : new String[] {"h1/a", "h1/b", "h2/a"}) {
      run("claim", "many", "--client", client);
    }

    Outcome renewed = run("renew", "many", "--client-prefix", "h1/", "--lease", "2h");
    assertThat(renewed.status).isZero();
    assertThat(renewed.out.lines()).hasSize(2);
    Outcome released = run("release", "many", "--client-prefix", "h1/");
    assertThat(released.status).isZero();
    assertThat(released.out.lines()).hasSize(2).allMatch(line -> line.contains(" released, held"));
    assertThat(run("release", "many", "--client-prefix", "h1/", "--json").out)
        .containsIgnoringWhitespaces("{\"released\":[],\"next\":null}");
    assertThat(run("list", "many").out.lines()).hasSize(1);
  }
}
