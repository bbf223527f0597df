package dev.mintmark.app.view;

import org.jspecify.annotations.Nullable;

/** The key to sign in with, as JSON. */
public record SignInJson(@Nullable String key) {
  /** Does not show the secret. */
  @Override
  public String toString() {
    return "SignInJson[]";
  }
}
