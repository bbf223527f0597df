package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Uuids;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.verify.Mintmark.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The script {@code mintmark} of the checkout. */
class LauncherIT {
  @TempDir Path directory;

  @Test
  void theVersionNeedsNoBuildAndIsThatOfTheProgram() throws IOException {
    Path unbuilt = Files.createDirectory(directory.resolve("unbuilt"));
    Files.copy(Checkout.launcher(), unbuilt.resolve("mintmark"));
    Files.copy(Checkout.root().resolve("pom.xml"), unbuilt.resolve("pom.xml"));
    String ofProgram = mintmark().run("mint", "--version").out();

    Outcome version = mintmark().shell("unbuilt/mintmark --version && unbuilt/mintmark -V");

    assertThat(version.out()).isEqualTo(ofProgram + ofProgram).startsWith("mintmark ");
    assertThat(version.err()).isEmpty();
    assertThat(unbuilt).isDirectoryNotContaining("glob:**.mintmark");
  }

  @Test
  void messagesNameTheCommandAsItWasCalled() {
    Outcome inCheckout = mintmark().shell("cd \"$(dirname \"$0\")\" && ./mintmark mnit");
    Outcome onPath =
        mintmark()
            .shell(
                "mkdir bin && ln -s \"$0\" bin/mintmark && PATH=$PWD/bin:$PATH ; mintmark mnit; rm bin/mintmark");

    assertThat(inCheckout.errLines())
        .endsWith("Did you mean: ./mintmark mint?", "try: ./mintmark --help");
    assertThat(onPath.errLines()).endsWith("Did you mean: mintmark mint?", "try: mintmark --help");
  }

  @Test
  @Tag("long")
  void helpAndCompletionNeedNoJavaAndAreThoseOfTheProgram() {
    for (String help :
        List.of("--help", "-h", "help", "mint --help", "pool claim -h", "help pool claim")) {
      String ofProgram = help.replaceFirst("^help *", "").replaceFirst(" ?(-h|--help)$", "");

      Outcome answered = inCheckout("JAVA_HOME=/nowhere ./mintmark " + help);

      assertThat(answered.err()).as(help).isEmpty();
      assertThat(answered.out())
          .as(help)
          .isEqualTo(inCheckout("CLICOLOR=0 ./mintmark " + ofProgram + " --help").out())
          .startsWith("Usage: ./mintmark " + ofProgram);
    }
    for (String shell : List.of("bash", "zsh", "fish")) {
      assertThat(inCheckout("JAVA_HOME=/nowhere ./mintmark completion " + shell).out())
          .isEqualTo(inCheckout("./mintmark completion -- " + shell).out())
          .contains("mintmark");
    }
  }

  @Test
  void whatNoFileAnswersIsAnsweredByTheProgram() {
    Outcome unknown = inCheckout("./mintmark help pool clam");

    assertThat(unknown.status()).isEqualTo(2);
    assertThat(unknown.err()).contains("did you mean \"claim\"?");
    assertThat(inCheckout("./mintmark mint --kind --help").status()).isEqualTo(2);
    assertThat(inCheckout("./mintmark --help > /dev/full").status()).isEqualTo(3);
    assertThat(inCheckout("./mintmark --version > /dev/full").status()).isEqualTo(3);
    assertThat(inCheckout("./mintmark --help | true").err()).isEmpty();
  }

  @Test
  void aChangedSourceIsBuiltBeforeTheNextCommand() throws IOException {
    Path checkout = Files.createDirectories(directory.resolve("checkout"));
    Files.copy(Checkout.launcher(), checkout.resolve("mintmark"));
    Files.createFile(checkout.resolve("pom.xml"));
    for (String module : List.of("app", "core")) {
      Files.createDirectories(checkout.resolve(module + "/src/main/java"));
      Files.createFile(checkout.resolve(module + "/pom.xml"));
      Files.createFile(checkout.resolve(module + "/src/main/java/A.java"));
    }
    Files.createDirectory(directory.resolve("path"));
    Files.writeString(
        directory.resolve("path/mvn"),
        """
        #!/bin/sh
        # As our build: the libraries are copied again, and help is written again.
        rm -rf app/target/lib app/target/answers
        mkdir -p app/target/lib app/target/answers/in-directory/plain
        touch app/target/mintmark-app.jar
        echo built >> app/target/builds
        cp app/target/builds app/target/answers/in-directory/plain/mintmark
        sleep 0.05
        """);
    String help =
        "cd checkout && PATH=../path:$PATH && chmod +x ../path/mvn && ./mintmark --help 2>../errors";

    assertThat(shell(help).out()).hasLineCount(1);
    assertThat(shell(help).out()).hasLineCount(1);
    assertThat(shell("touch checkout/core/src/main/java/A.java; " + help).out()).hasLineCount(2);
    assertThat(shell("rm checkout/core/src/main/java/A.java; " + help).out()).hasLineCount(3);
    assertThat(shell("touch checkout/core/pom.xml; " + help).out()).hasLineCount(4);
    assertThat(shell("rm -r checkout/app/target/lib; " + help).out()).hasLineCount(5);
    assertThat(shell(help).out()).hasLineCount(5);
  }

  /**
   * The layout of the archive of the program, whose class-data archive is in a directory of ours.
   */
  @Test
  @Tag("matrix")
  void aClassDataArchiveIsMadeOnceAndIgnoredIfItDoesNotFit() throws IOException {
    Path home = Files.createDirectories(directory.resolve("home"));
    Path cache = directory.resolve("cache/mintmark");
    Files.createDirectory(home.resolve("bin"));
    Files.copy(Checkout.launcher(), home.resolve("bin/mintmark"));
    Files.writeString(home.resolve("version"), "1\n");
    Path target = Checkout.root().resolve("app/target");
    shell("cp -r '%s/lib' home/ && cp '%s/mintmark-app.jar' home/lib/".formatted(target, target));
    String mint = "XDG_CACHE_HOME=$PWD/cache home/bin/mintmark mint";

    assertMints(mint);
    Path archive = Eventually.present(Patience.MAX, () -> archiveAlone(cache));
    assertMints(mint);
    assertThat(
            shell(
                    "XDG_CACHE_HOME=$PWD/cache MINTMARK_JAVA_OPTS=-Xlog:class+load home/bin/mintmark mint")
                .out())
        .containsPattern("MintCommand source: (shared|aot)");

    Files.delete(archive);
    shell(
        "\"${JAVA_HOME:-%s}/bin/java\" -Xshare:dump -XX:SharedArchiveFile='%s'"
            .formatted(System.getProperty("java.home"), archive));
    assertThat(archive).isNotEmptyFile();
    assertMints(mint);
    Files.delete(archive);
    Files.writeString(archive, "no archive");
    assertMints(mint);
    assertMints("MINTMARK_START=off " + mint);
    assertMints("XDG_CACHE_HOME=/dev/null/a home/bin/mintmark mint");
    assertThat(archive).hasContent("no archive");
  }

  /** Java rejects an archive if any library was copied again, even if the program was not. */
  @Test
  void anArchiveThatIsOlderThanTheLibrariesOfACheckoutIsNotUsed() throws IOException {
    Path checkout = Files.createDirectories(directory.resolve("checkout"));
    Files.copy(Checkout.launcher(), checkout.resolve("mintmark"));
    shell(
        """
        cd checkout && touch pom.xml && mkdir -p app/src/main app/target/lib jdk/bin && touch app/pom.xml
        touch app/target/mintmark-app.jar && printf '%s\\n' 'JAVA_VERSION="17.0.1"' > jdk/release
        printf '%s\\n' '#!/bin/sh' 'echo "$@"' > jdk/bin/java && chmod +x jdk/bin/java
        """);
    String mint =
        "touch checkout/app/target/lib && JAVA_HOME=$PWD/checkout/jdk checkout/mintmark mint";
    assertThat(shell(mint).out()).contains("Main mint").doesNotContain("SharedArchiveFile");
    Path lock =
        Eventually.present(
            Patience.MAX, () -> lockOfAFailure(checkout.resolve("app/target/start")));
    Path archive = Path.of(lock.toString().replace(".lock", ""));

    shell("touch '%s'".formatted(archive));
    assertThat(shell(mint.replace("touch checkout/app/target/lib && ", "")).out())
        .contains("-XX:SharedArchiveFile=" + archive);
    shell("touch -t 202001010000 '%s'".formatted(archive));
    assertThat(shell(mint).out()).contains("Main mint").doesNotContain("SharedArchiveFile");
  }

  @Test
  void whoAsksForTheArchiveNowHasItAtOnceOrIsToldThatThereIsNone() throws IOException {
    shell(
        """
        mkdir -p home/bin home/lib jdk/bin && echo 1 > home/version
        echo 'JAVA_VERSION="17.0.1"' > jdk/release
        cat > jdk/bin/java <<'end'
        #!/bin/sh
        for argument; do
          case $argument in -XX:SharedArchiveFile=*) [ -e full ] || echo made > "${argument#*=}" ;; esac
        done
        echo "$@"
        end
        chmod +x jdk/bin/java
        """);
    Files.copy(Checkout.launcher(), directory.resolve("home/bin/mintmark"));
    String mint =
        "XDG_CACHE_HOME=$PWD/%s JAVA_HOME=$PWD/jdk MINTMARK_START=now home/bin/mintmark mint";

    Outcome first = shell(mint.formatted("cache"));
    assertThat(first.errLines()).containsExactly("mintmark: making the class-data archive");
    assertThat(first.out()).contains("-XX:SharedArchiveFile=", "Main mint");
    assertThat(shell(mint.formatted("cache"))).isEqualTo(new Outcome(0, first.out(), ""));

    Outcome without = shell("touch full; " + mint.formatted("other"));
    assertThat(without.errLines())
        .element(1)
        .asString()
        .startsWith("mintmark: the class-data archive could not be made");
    assertThat(without.out()).contains("Main mint").doesNotContain("SharedArchiveFile");
    assertThat(without.status()).isZero();
  }

  @Test
  void theLockOfAKilledProcessIsRemovedAndThatOfAFailureStays() throws IOException {
    Path home = Files.createDirectories(directory.resolve("home"));
    Files.createDirectory(home.resolve("bin"));
    Files.createDirectory(home.resolve("lib"));
    Files.copy(Checkout.launcher(), home.resolve("bin/mintmark"));
    Files.writeString(home.resolve("version"), "1\n");
    Path cache = Files.createDirectories(directory.resolve("cache/mintmark"));
    // Without the program java fails, and so does what makes the archive.
    String mint = "XDG_CACHE_HOME=$PWD/cache home/bin/mintmark mint";

    shell(mint);
    Path lock = Eventually.present(Patience.MAX, () -> lockOfAFailure(cache));
    FileTime failed = Files.getLastModifiedTime(lock);
    shell(mint);
    assertThat(Files.getLastModifiedTime(lock)).isEqualTo(failed);

    shell("sh -c 'echo $$' > '%s/pid'".formatted(lock));
    Path leftover = Files.createFile(Path.of(lock.toString().replace(".lock", ".list.123")));
    shell(mint);
    assertThat(leftover).doesNotExist();
    Path again = Eventually.present(Patience.MAX, () -> lockOfAFailure(cache));
    assertThat(Files.getLastModifiedTime(again)).isGreaterThan(failed);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "LC_ALL=C",
        "-u LC_ALL LANG=POSIX",
        "-u LC_ALL LANG=xx_XX.UTF-8",
        "-u LC_ALL -u LC_CTYPE -u LANG",
        "LC_ALL=C.UTF-8"
      })
  void argumentsAreUtf8InALocaleOfAsciiToo(String locale) {
    String mint = "env %s \"$0\" mint --kind uuidv5 --namespace dns --name ".formatted(locale);

    assertThat(shell(mint + "\u00e9; " + mint + "\u00fc"))
        .isEqualTo(
            new Outcome(
                0,
                Uuids.mintV5(Uuids.NAMESPACE_DNS, "\u00e9")
                    + "\n"
                    + Uuids.mintV5(Uuids.NAMESPACE_DNS, "\u00fc")
                    + "\n",
                ""));
  }

  @Test
  void aNameThatIsNotUtf8IsRefused() {
    Outcome outcome =
        shell("\"$0\" mint --kind uuidv5 --namespace dns --name \"$(printf '\\374')\"");

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err())
        .startsWith("mintmark: argument 7, \"\ufffd\", has U+FFFD: it is not UTF-8");
  }

  /** Java would take the first file that it opens, such as one of its own, for stdin. */
  @Test
  void aClosedStdinIsEmpty() {
    assertThat(shell("\"$0\" convert --to text <&-")).isEqualTo(new Outcome(0, "", ""));
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "script has other options elsewhere")
  void listsHaveHeadingsOnATerminal() throws IOException {
    Files.writeString(
        directory.resolve("mintmark.yaml"),
        "namespace: shop\ncollections: { orders: { kind: ulid } }\n");
    String check = "\"$0\" catalog check";

    assertThat(shell(check).outLines()).hasSize(1);
    assertThat(
            shell(
                    "NO_COLOR=1 script -qec \"'$0' catalog check\" /dev/null </dev/null | tr -d '\\r'")
                .outLines())
        .endsWith("declares    name    kind", "collection  orders  ulid");
  }

  private void assertMints(String command) {
    Outcome mint = shell(command);

    assertThat(mint.err()).isEmpty();
    assertThat(mint.out()).matches("[0-9a-f-]{36}\n");
  }

  /** The archive once it is complete: without a lock or temporary files beside it. */
  private static Optional<Path> archiveAlone(Path directory) {
    try (Stream<Path> list = Files.list(directory)) {
      List<Path> files = list.toList();
      return files.size() == 1
          ? files.stream().filter(file -> file.toString().endsWith(".classes")).findFirst()
          : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The lock without a process id, which a process that failed leaves. */
  private static Optional<Path> lockOfAFailure(Path directory) {
    try (Stream<Path> list = Files.list(directory)) {
      return list.filter(file -> file.toString().endsWith(".lock"))
          .filter(lock -> !Files.exists(lock.resolve("pid")))
          .findFirst();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Outcome inCheckout(String command) {
    return shell("cd \"$(dirname \"$0\")\" && " + command);
  }

  private Outcome shell(String command) {
    return mintmark().shell(command);
  }

  private Mintmark mintmark() {
    return Mintmark.in(directory);
  }
}
