package dev.mintmark.app.http;

import dev.mintmark.app.access.AuditEntry;
import dev.mintmark.app.access.Principal;
import dev.mintmark.app.access.Scope;
import dev.mintmark.app.service.NameCriterion;
import dev.mintmark.postgres.pool.Claim;
import dev.mintmark.postgres.pool.ClaimFilter;
import dev.mintmark.postgres.pool.NameMatch;
import dev.mintmark.postgres.pool.Pool;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who sent a request. Without a principal the request reached a server without accounts, or an
 * operation that is open; then everything that is served may be seen.
 */
final class Caller {
  private static final String ATTRIBUTE = Caller.class.getName();

  private final Optional<Principal> principal;
  private final Optional<String> session;
  private final String source;
  private final Optional<String> requestId;
  private volatile String subject = "";
  private volatile boolean isRefused;

  /**
   * @param principal who may do what, by a key or a token that is in use
   * @param session the token of the session through which the key was found
   * @param source the address of the client
   * @param requestId the id of the request, as its response has it
   */
  Caller(
      Optional<? extends Principal> principal,
      Optional<String> session,
      String source,
      Optional<String> requestId) {
    this.principal = principal.map(some -> some);
    this.session = session;
    this.source = source;
    this.requestId = requestId;
  }

  /** The same request, of somebody who has proved who they are. */
  Caller as(Principal principal) {
    return new Caller(Optional.of(principal), session, source, requestId);
  }

  /** The caller that {@link AccessFilter} found. */
  static Caller of(HttpServletRequest request) {
    if (request.getAttribute(ATTRIBUTE) instanceof Caller caller) {
      return caller;
    }
    throw new IllegalStateException("AccessFilter did not see the request");
  }

  /** The caller that {@link AccessFilter} found; empty if the request did not reach it. */
  static Optional<Caller> tryOf(HttpServletRequest request) {
    return request.getAttribute(ATTRIBUTE) instanceof Caller caller
        ? Optional.of(caller)
        : Optional.empty();
  }

  void attach(HttpServletRequest request) {
    request.setAttribute(ATTRIBUTE, this);
  }

  Optional<Principal> principal() {
    return principal;
  }

  Optional<String> session() {
    return session;
  }

  /** The address of the client. */
  String source() {
    return source;
  }

  /** How log lines name it: by the public id of the key, by the token, or else by the address. */
  String logged() {
    return principal.map(Principal::id).orElse(source);
  }

  AuditEntry.Actor actor() {
    return new AuditEntry.Actor(
        principal.map(Principal::actor).orElse("loopback"),
        principal.map(Principal::name).orElse(""),
        source,
        requestId);
  }

  /** Notes for the audit what the request came to change, such as the value that was granted. */
  void changed(String what) {
    subject = what;
  }

  String subject() {
    return subject;
  }

  /**
   * Notes for the audit that the request has changed nothing, whatever status it is answered with.
   */
  void refused() {
    isRefused = true;
  }

  boolean isRefused() {
    return isRefused;
  }

  /** Whether it may do something with a pool or a collection. */
  boolean may(Scope.Kind kind, String name) {
    return principal.isEmpty() || principal.get().permits(kind, name);
  }

  /**
   * @throws ProblemException if it may not
   */
  void require(Scope.Kind kind, String name) {
    if (!may(kind, name)) {
      throw insufficient(new Scope(kind, name).text());
    }
  }

  ProblemException insufficient(String scope) {
    return new ProblemException(
        ProblemCode.INSUFFICIENT_SCOPE,
        "the %s does not have the scope %s".formatted(proof(), scope));
  }

  /** The owner whose claims alone it may see and change; empty: all. */
  Optional<String> owner() {
    return principal.flatMap(Principal::owner);
  }

  /**
   * Returns the owner that a request is for.
   *
   * @param named the owner that the request names
   * @throws ProblemException if the key has another owner
   */
  Optional<String> ownerOf(Optional<String> named) {
    if (owner().isEmpty()) {
      return named;
    }
    if (named.isPresent() && !named.equals(owner())) {
      throw foreignOwner();
    }
    return owner();
  }

  /**
   * Returns the owners whose claims a request searches for: by name, or by prefix.
   *
   * @throws ProblemException if the key has an owner, and the request names others
   * @throws IllegalArgumentException if both are given, or if no name has such a text
   */
  Optional<NameMatch> ownerMatch(@Nullable String name, @Nullable String prefix) {
    Optional<NameMatch> named = NameCriterion.of("owner", name, prefix);
    if (owner().isEmpty()) {
      return named;
    }
    Optional<NameMatch> own = owner().map(NameMatch::exactly);
    if (named.isPresent() && !named.equals(own)) {
      throw foreignOwner();
    }
    return own;
  }

  /** Whether a claim for this owner may be shown. */
  boolean sees(Optional<String> claimOwner) {
    return owner().isEmpty() || owner().equals(claimOwner);
  }

  /**
   * Checks that claims of a client are those of the owner of the caller.
   *
   * @throws ProblemException if another owner has one of them
   */
  void checkOwn(List<Claim> claims, String pool) {
    if (!claims.stream().allMatch(claim -> sees(claim.owner()))) {
      throw new ProblemException(
          ProblemCode.FOREIGN_CLIENT,
          "pool \"%s\": this client holds a value for another owner: clients of two owners must have different names"
              .formatted(pool));
    }
  }

  /**
   * Checks that a client that is going to claim holds nothing for another owner. With one slot, the
   * claim itself finds out; with several, another owner may hold in another slot.
   *
   * @throws ProblemException if it does
   */
  void checkOtherSlots(String client, Pool pool) {
    if (mayHoldForAnotherIn(pool)) {
      checkOwn(pool.claims(ClaimFilter.ofClient(client), Pool.PAGE_MAX), pool.name());
    }
  }

  /** Whether a client of the caller may hold for another owner, in another slot than it claims. */
  boolean mayHoldForAnotherIn(Pool pool) {
    return owner().isPresent() && pool.spec().perClient() > 1;
  }

  private ProblemException foreignOwner() {
    return new ProblemException(
        ProblemCode.FOREIGN_OWNER,
        "the %s belongs to another owner than the request names: leave out owner"
            .formatted(proof()));
  }

  private String proof() {
    return principal.map(Principal::proof).orElse("caller");
  }
}
