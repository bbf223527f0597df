package dev.mintmark.app.access;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The holder of a token of an identity provider, which was verified.
 *
 * @param subject the claim {@code sub}: who it is at the provider
 * @param name what people call it; may be empty
 * @param scopes what it may do here
 * @param owner as in {@link ApiKey}
 * @param expiresAt from when on the token is rejected
 */
public record TokenHolder(
    String subject, String name, List<Scope> scopes, Optional<String> owner, Instant expiresAt)
    implements Principal {
  public TokenHolder {
    scopes = List.copyOf(scopes);
  }

  /** Whether a text has the form of a token: three parts with points between them. */
  public static boolean isToken(String text) {
    return text.chars().filter(c -> c == '.').count() == 2;
  }

  @Override
  public String id() {
    return "token:" + subject;
  }

  @Override
  public String actor() {
    return id();
  }

  @Override
  public String proof() {
    return "token";
  }

  boolean isOver(Instant now) {
    return !now.isBefore(expiresAt);
  }
}
