package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mintmark.verify.Mintmark.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The scripts of {@code mintmark completion}, in the shells that they are for. */
class CompletionIT {
  private static final String WORDS =
      """
      mintmark po              | pool
      mintmark pool cl         | claim
      mintmark mint --kind ul  | ulid
      mintmark migrate plan --catal | --catalog
      mintmark completion f    | fish
      """;

  @TempDir static Path directory;

  @BeforeAll
  static void print() throws IOException {
    for (String shell : List.of("bash", "zsh", "fish")) {
      Outcome script = mintmark().run("completion", shell);
      assertThat(script.status()).as(script.err()).isZero();
      Files.writeString(directory.resolve(shell), script.out());
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = WORDS)
  void bashCompletes(String typed, String completed) {
    // compopt works only while a key is pressed.
    Outcome completion =
        mintmark()
            .shell(
                """
                bash -c 'compopt() { :; }
                . ./bash; COMP_WORDS=(%s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                _complete_mintmark; printf "%%s\\n" "${COMPREPLY[@]}"'
                """
                    .formatted(typed));

    assertThat(completion.outLines()).containsExactly(completed);
    assertThat(completion.err()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = WORDS)
  void fishCompletes(String typed, String completed) {
    assumeInstalled("fish");

    Outcome completion = mintmark().shell("fish -c '. ./fish; complete -C \"" + typed + "\"'");

    assertThat(completion.outLines().stream().map(line -> line.replaceFirst("\t.*", "")))
        .containsExactly(completed);
    assertThat(completion.err()).isEmpty();
  }

  @Test
  void fishCompletesFilesOnlyForOptionsThatTakeOne() throws IOException {
    assumeInstalled("fish");
    Files.createFile(directory.resolve("a-file"));

    assertThat(mintmark().shell("fish -c '. ./fish; complete -C \"mintmark serve --catalog a-\"'"))
        .extracting(Outcome::outLines)
        .isEqualTo(List.of("a-file"));
    assertThat(mintmark().shell("fish -c '. ./fish; complete -C \"mintmark serve --port a-\"'"))
        .extracting(Outcome::outLines)
        .isEqualTo(List.of());
  }

  @Test
  void zshCompletesAsBash() {
    assumeInstalled("zsh");

    Outcome loaded = mintmark().shell("HOME=$PWD zsh -fc '. ./zsh; echo $_comps[mintmark]'");

    assertThat(loaded.out()).contains("_complete_mintmark");
    assertThat(loaded.err()).isEmpty();
  }

  @Test
  void helpNamesCommandsBelowOthers() {
    assertThat(mintmark().run("help", "pool", "claim").out())
        .isEqualTo(mintmark().run("pool", "claim", "--help").out());
    assertThat(mintmark().run("help", "pool", "clam"))
        .satisfies(
            outcome -> assertThat(outcome.status()).isEqualTo(2),
            outcome -> assertThat(outcome.err()).contains("did you mean \"claim\"?"));
  }

  private static void assumeInstalled(String shell) {
    boolean installed = mintmark().shell("command -v " + shell).status() == 0;
    if (!installed && "true".equals(System.getenv("CI"))) {
      throw new IllegalStateException(shell + " is not installed");
    }
    if (!installed) {
      System.err.println("NOT TESTED: " + shell + " is not installed");
    }
    assumeTrue(installed);
  }

  private static Mintmark mintmark() {
    return Mintmark.in(directory);
  }
}
