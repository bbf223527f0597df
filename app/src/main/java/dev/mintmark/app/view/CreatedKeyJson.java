package dev.mintmark.app.view;

import dev.mintmark.app.access.Keys;

/**
 * A key that was created, as JSON.
 *
 * @param text what its holder sends: it is not shown again
 */
public record CreatedKeyJson(String text, KeyJson key) {
  public static CreatedKeyJson of(Keys.Created created) {
    return new CreatedKeyJson(created.text().text(), KeyJson.of(created.key()));
  }

  /** Does not show the secret. */
  @Override
  public String toString() {
    return "CreatedKeyJson[key=" + key + "]";
  }
}
