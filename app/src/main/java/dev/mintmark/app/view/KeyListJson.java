package dev.mintmark.app.view;

import dev.mintmark.app.access.ApiKey;
import java.util.List;

/** All API keys, the latest first, as JSON. */
public record KeyListJson(List<KeyJson> keys) {
  public static KeyListJson of(List<ApiKey> keys) {
    return new KeyListJson(keys.stream().map(KeyJson::of).toList());
  }
}
