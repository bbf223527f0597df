package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.verify.Mintmark.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

  private Mintmark mintmark() {
    return Mintmark.in(directory);
  }
}
