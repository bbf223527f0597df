package dev.mintmark.verify;

import static dev.mintmark.verify.UserProgram.path;
import static dev.mintmark.verify.UserProgram.placeOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Ulid;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.verify.Mintmark.Outcome;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.Driver;

/** The commands and the program of docs/getting-started.md, beside a server. */
class GettingStartedIT {
  private static final Page PAGE = new Page("docs/getting-started.md");

  private static final Pattern OUTPUT =
      Pattern.compile("^It prints:\n\n```\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

  private static Path directory;
  private static RunningServer server;

  @BeforeAll
  static void serve(@TempDir Path temporary) {
    directory = temporary;
    server = RunningServer.start(Mintmark.in(directory), directory.resolve("data"));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void everyCommandSucceedsAndPrintsWhatIsShown() throws SQLException {
    List<ShownCommand> commands = ShownCommand.of(PAGE);
    assertThat(commands).hasSizeGreaterThan(12);
    Mintmark mintmark = Mintmark.in(directory).with("DATABASE_URL", server.databaseUrl());
    execute("create table orders (id integer primary key, total numeric not null)");
    String port = ":" + server.port() + "/";

    for (ShownCommand command : commands) {
      Outcome outcome = mintmark.shell(command.line().replace(":7300/", port));

      assertThat(outcome.status()).as("%s%n%s", command.line(), outcome.err()).isZero();
      command.assertPrints(outcome.outLines());
    }
  }

  /** A table for the doctor to look at: pages are for readers who have some. */
  private static void execute(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(server.databaseUrl());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** With the libraries alone that the pom.xml of the page brings. */
  @Test
  void theFirstProgramPrintsWhatIsShown(@TempDir Path temporary) throws Exception {
    Pom pom = shownPom();
    assertThat(pom.texts("//dependency/artifactId")).containsExactly("mintmark-postgres");
    assertThat(pom.texts("//dependency/version")).isEqualTo(Pom.of(".").texts("/project/version"));
    String libraries = path(placeOf(Ulid.class), placeOf(Pools.class), placeOf(Driver.class));

    UserProgram program =
        new UserProgram(temporary)
            .source("Parcels", PAGE.blocks("java").get(0))
            .compile("-classpath", libraries)
            .with("DATABASE_URL", server.databaseUrl())
            .with("MINTMARK_SECRET", ReadmeIT.SECRET);
    String printed =
        program.run(
            "-classpath", path(program.classes()) + File.pathSeparator + libraries, "Parcels");

    assertThat(pattern(printed)).isEqualTo(pattern(shownOutput()));
  }

  private static Pom shownPom() throws Exception {
    byte[] xml = PAGE.blocks("xml").get(0).getBytes(StandardCharsets.UTF_8);
    return new Pom(
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(xml)));
  }

  private static String shownOutput() {
    Matcher output = OUTPUT.matcher(PAGE.text());
    assertThat(output.find()).isTrue();
    return output.group(1);
  }

  /** The text with a name in place of each value that differs from run to run. */
  private static String pattern(String printed) {
    return printed
        .replaceAll("[0-9a-f]{8}-[0-9a-f-]{27}", "UUID")
        .replaceAll("\\d{4}-\\d\\d-\\d\\dT\\S+Z", "TIME")
        .replaceAll("par_a[0-9a-z]{26}", "FACE")
        .replaceAll("locker \\d+", "locker NUMBER");
  }
}
