package dev.mintmark.app.view;

import dev.mintmark.app.access.ApiKey;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether requests need a key, and the key that this one was sent with, as JSON.
 *
 * @param accounts whether requests need a key
 * @param key the key of the session; null if there is none
 */
public record SessionJson(boolean accounts, @Nullable KeyJson key) {
  public static SessionJson of(boolean accounts, Optional<ApiKey> key) {
    return new SessionJson(accounts, key.map(KeyJson::of).orElse(null));
  }
}
