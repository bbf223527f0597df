package dev.mintmark.app.cli.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class ConfirmationTest {
  private static final String STDIN = "mintmark.stdin-is-terminal";
  private static final String STDERR = "mintmark.stderr-is-terminal";

  private final InputStream stdin = System.in;
  private final StringWriter err = new StringWriter();

  @AfterEach
  void restore() {
    System.setIn(stdin);
    System.clearProperty(STDIN);
    System.clearProperty(STDERR);
  }

  @Command(name = "destroy")
  static final class Destroy implements Callable<Integer> {
    @Mixin Confirmation confirmation;

    @Override
    public Integer call() {
      return confirmation.allows("this is final", "the name", List.of("public.orders", "orders"))
          ? ExitStatus.DONE
          : ExitStatus.NO;
    }
  }

  private int destroy(String typed, String... arguments) {
    System.setIn(new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8)));
    return new CommandLine(new Destroy()).setErr(new PrintWriter(err)).execute(arguments);
  }

  @ParameterizedTest
  @ValueSource(strings = {"orders\n", " public.orders \n", "orders"})
  void continuesAfterTheName(String typed) {
    System.setProperty(STDIN, "true");
    System.setProperty(STDERR, "true");

    assertThat(destroy(typed)).isZero();
    assertThat(err)
        .hasToString(
            "mintmark: this is final%nType the name (public.orders) to continue: ".formatted());
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "", "y\n", "Orders\n", "\norders\n"})
  void stopsAfterAnythingElse(String typed) {
    System.setProperty(STDIN, "true");
    System.setProperty(STDERR, "true");

    assertThat(destroy(typed)).isEqualTo(ExitStatus.NO);
    assertThat(err.toString())
        .endsWith("mintmark: not confirmed: nothing was changed%n".formatted());
  }

  @Test
  void doesNotAskIfYesIsGiven() {
    System.setProperty(STDIN, "true");
    System.setProperty(STDERR, "true");

    assertThat(destroy("", "--yes")).isZero();
    assertThat(err.toString()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"false, false", "true, false", "false, true"})
  void doesNotAskAScript(String stdinIsTerminal, String stderrIsTerminal) {
    System.setProperty(STDIN, stdinIsTerminal);
    System.setProperty(STDERR, stderrIsTerminal);

    assertThat(destroy("")).isZero();
    assertThat(err.toString()).isEmpty();
  }
}
