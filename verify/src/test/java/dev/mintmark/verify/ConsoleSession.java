package dev.mintmark.verify;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mintmark.fixtures.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.openqa.selenium.chrome.ChromeDriver;
import org.springframework.util.FileSystemUtils;

/**
 * The browser and the server of a class that tests the console. All classes of this JVM share them,
 * because both take seconds to start. Without a browser the tests are skipped.
 */
final class ConsoleSession implements BeforeAllCallback, AfterEachCallback {
  private static @Nullable Shared shared;

  /** What all classes share. It is closed when the last test of this JVM has run. */
  private static final class Shared implements AutoCloseable {
    final Path directory;
    final Optional<ChromeDriver> driver;
    @Nullable RunningServer server;

    Shared() throws IOException {
      directory = Files.createTempDirectory("mintmark-console");
      driver = Browser.start(directory);
      if (driver.isPresent()) {
        server = serve(Ports.free());
      }
    }

    RunningServer serve(int port) {
      return RunningServer.start(
          Mintmark.in(directory),
          "--port",
          Integer.toString(port),
          "--data",
          directory.resolve("data").toString());
    }

    @Override
    public void close() {
      driver.ifPresent(ChromeDriver::quit);
      if (server != null) {
        server.close();
      }
      try {
        FileSystemUtils.deleteRecursively(directory);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    shared =
        context
            .getRoot()
            .getStore(ExtensionContext.Namespace.GLOBAL)
            .computeIfAbsent(Shared.class, key -> open(), Shared.class);
    boolean hasBrowser = shared().driver.isPresent();
    if (!hasBrowser) {
      System.err.println("NOT TESTED: the console: no chromium and chromedriver are installed");
    }
    assumeTrue(hasBrowser);
  }

  private static Shared open() {
    try {
      return new Shared();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void afterEach(ExtensionContext context) {
    shared().driver.ifPresent(driver -> new ConsolePage(driver).endEmulation());
  }

  ChromeDriver driver() {
    return shared().driver.orElseThrow();
  }

  RunningServer server() {
    RunningServer server = shared().server;
    if (server == null) {
      throw new IllegalStateException("no server");
    }
    return server;
  }

  HttpApi http() {
    return server().http();
  }

  URI console() {
    return server().console();
  }

  /** A directory for the files of a test; it is deleted after all tests. */
  Path directory() {
    return shared().directory;
  }

  /** Closes the server, runs something, and starts the server again at the same port. */
  void withoutServer(Runnable meanwhile) {
    int port = server().port();
    try {
      server().close();
      meanwhile.run();
    } finally {
      shared().server = shared().serve(port);
    }
  }

  private static Shared shared() {
    if (shared == null) {
      throw new IllegalStateException("the tests of the console have not begun");
    }
    return shared;
  }
}
