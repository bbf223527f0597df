package dev.mintmark.app.cli.common;

import dev.mintmark.Keyring;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the secrets of masks are. They are never an argument, which other users could list. */
public final class SecretOption {
  /** The environment variable with the text that {@link Keyring#parse} reads. */
  public static final String VARIABLE = "MINTMARK_SECRET";

  @Option(
      names = "--secret-file",
      paramLabel = "FILE",
      description =
          "The file with the secrets of masks, NAME:BASE64, the newest first. Default: the"
              + " environment variable "
              + VARIABLE)
  @Nullable Path file;

  /**
   * Reads the secrets.
   *
   * @throws IllegalArgumentException if there are none, or they are malformed; the message does not
   *     contain them
   * @throws FileException if the file cannot be read
   */
  public Keyring keyring() {
    return keyring(System.getenv());
  }

  /**
   * Reads the secrets, if there are any.
   *
   * @throws IllegalArgumentException if they are malformed; the message does not contain them
   * @throws FileException if the file cannot be read
   */
  public Optional<Keyring> keyringIfGiven() {
    boolean isGiven =
        file != null
            || Optional.ofNullable(System.getenv(VARIABLE)).filter(s -> !s.isBlank()).isPresent();
    return isGiven ? Optional.of(keyring()) : Optional.empty();
  }

  Keyring keyring(Map<String, String> environment) {
    if (file != null) {
      return parsed("secret file " + file, read(file));
    }
    String text =
        Optional.ofNullable(environment.get(VARIABLE))
            .filter(secret -> !secret.isBlank())
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "a mask needs a secret: set "
                            + VARIABLE
                            + " to a: and the output of openssl rand -base64 32, or name a file"
                            + " with --secret-file"));
    return parsed(VARIABLE, text);
  }

  private static Keyring parsed(String source, String text) {
    try {
      return Keyring.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(source + ": " + e.getMessage(), e);
    }
  }

  private static String read(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      // One more byte than is allowed, so that a longer text is refused.
      return new String(in.readNBytes(Keyring.TEXT_LENGTH_MAX + 1), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new FileException("secret file " + file, e);
    }
  }
}
