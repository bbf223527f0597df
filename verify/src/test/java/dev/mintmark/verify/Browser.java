package dev.mintmark.verify;

import dev.mintmark.fixtures.Patience;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.remote.http.ClientConfig;

/** The Chromium or Chrome of this machine, driven without a window. Nothing is ever downloaded. */
final class Browser {
  private static final List<String> BROWSERS =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
  private static final Path ON_MACOS =
      Path.of("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome");

  /** It misses the parts for this very version of Chromium, none of which is used here. */
  private static final Logger CDP_LOG = Logger.getLogger("org.openqa.selenium");

  /** The console gives an answer 10 seconds, and then a user would ask again: tests do not. */
  private static final String PATIENT_ANSWERS =
      """
      {
        const { timeout } = AbortSignal;
        AbortSignal.timeout = () => timeout.call(AbortSignal, %d);
      }
      """
          .formatted(Patience.MAX.toMillis());

  private Browser() {}

  /**
   * Starts a browser that keeps its profile and whatever else in a directory; empty where none is
   * installed.
   *
   * @throws IllegalStateException if none is installed in continuous integration
   */
  static Optional<ChromeDriver> start(Path directory) {
    Optional<Path> browser =
        BROWSERS.stream()
            .flatMap(name -> onPath(name).stream())
            .findFirst()
            .or(() -> Optional.of(ON_MACOS).filter(Files::isExecutable));
    Optional<Path> driver = onPath("chromedriver");
    if (browser.isEmpty() || driver.isEmpty()) {
      if ("true".equals(System.getenv("CI"))) {
        throw new IllegalStateException(
            "the console cannot be tested: no chromium, no chromedriver");
      }
      return Optional.empty();
    }
    return Optional.of(start(browser.get(), driver.get(), directory));
  }

  private static ChromeDriver start(Path browser, Path driver, Path directory) {
    CDP_LOG.setLevel(Level.SEVERE);
    LoggingPreferences logging = new LoggingPreferences();
    logging.enable(LogType.BROWSER, Level.ALL);
    ChromeOptions options = new ChromeOptions();
    options.setBinary(browser.toFile());
    options.setCapability(ChromeOptions.LOGGING_PREFS, logging);
    options.setScriptTimeout(Patience.MAX);
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        // A part that moves may be elsewhere, or half transparent, by the time it is clicked.
        "--force-prefers-reduced-motion",
        "--window-size=1400,1000",
        "--user-data-dir=" + directory.resolve("profile"));
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(driver.toFile())
            .usingAnyFreePort()
            .withSilent(true)
            .withTimeout(Patience.MAX)
            .withEnvironment(Map.of("TMPDIR", directory.toString()))
            .build();
    ChromeDriver chrome =
        new ChromeDriver(service, options, ClientConfig.defaultConfig().readTimeout(Patience.MAX));
    chrome.executeCdpCommand(
        "Page.addScriptToEvaluateOnNewDocument", Map.of("source", PATIENT_ANSWERS));
    return chrome;
  }

  private static Optional<Path> onPath(String program) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    String drivers = Optional.ofNullable(System.getenv("CHROMEWEBDRIVER")).orElse("");
    return Stream.concat(Arrays.stream(path.split(File.pathSeparator)), Stream.of(drivers))
        .filter(directory -> !directory.isEmpty())
        .map(directory -> Path.of(directory, program))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
