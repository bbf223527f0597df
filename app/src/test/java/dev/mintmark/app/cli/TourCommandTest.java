package dev.mintmark.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

@Tag("slow")
class TourCommandTest {
  private static final String STDIN = "mintmark.stdin-is-terminal";

  private final InputStream stdin = System.in;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @AfterEach
  void restore() {
    System.setIn(stdin);
    System.clearProperty(STDIN);
  }

  @Test
  @Tag("long")
  void allStepsWorkAndNothingRemains() {
    assertThat(tour("--no-wait")).as("%s%s", out, err).isZero();

    assertThat(out.toString())
        .contains("1/6  Read", "6/6  Find")
        .contains("ulid  2022-03-31T15:23:55.999Z")
        .contains("mintmark: pool \"public-ipv4\": exhausted")
        .contains("apply exactly this plan")
        .contains("critical key-runs-out public.invoices.id");
    assertThat(directory()).doesNotExist();
  }

  @Test
  void qEndsTheTourBetweenTwoSteps() {
    System.setProperty(STDIN, "true");
    System.setIn(new ByteArrayInputStream("\nq\n".getBytes(StandardCharsets.UTF_8)));

    assertThat(tour()).isEqualTo(1);

    assertThat(out.toString())
        .contains("2/6  Mint and convert")
        .doesNotContain("3/6")
        .endsWith("the tour ended after step 2 of 6%n".formatted());
  }

  @Test
  void aCommandThatEndsWithAnotherStatusFailsTheTour() {
    TourStage stage = new TourStage(commandLine("tour").getCommandSpec(), "jdbc:none");

    assertThatExceptionOfType(TourStage.Failure.class)
        .isThrownBy(() -> stage.run(0, "inspect", "it is nothing"))
        .withMessage("mintmark inspect 'it is nothing': exit status 1, expected 0");
  }

  /** The data directory that a command of the tour names. */
  private Path directory() {
    Matcher data = Pattern.compile("--data=(\\S+)").matcher(out.toString());
    assertThat(data.find()).isTrue();
    return Path.of(data.group(1));
  }

  private int tour(String... options) {
    String[] command = Stream.concat(Stream.of("tour"), Stream.of(options)).toArray(String[]::new);
    return commandLine(command).execute(command);
  }

  private CommandLine commandLine(String... command) {
    return MintmarkCommand.commandLine(new ByteArrayOutputStream(), command)
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true));
  }
}
