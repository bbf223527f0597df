package dev.mintmark.app.http;

import dev.mintmark.app.access.Access;
import dev.mintmark.app.access.AccessUnavailableException;
import dev.mintmark.app.access.AuditEntry;
import dev.mintmark.app.http.OperationRules.Auditing;
import dev.mintmark.app.http.OperationRules.Rule;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;

/**
 * Checks that the caller may run the operation, and puts operations that change something into the
 * audit, as {@link OperationRules} says. Files of the console are open: they are the same for
 * everybody.
 */
final class AccessInterceptor implements HandlerInterceptor {
  private static final String ENTRY = AccessInterceptor.class.getName() + ".ENTRY";

  private final Optional<Access> access;
  private final Listening listening;

  AccessInterceptor(Optional<Access> access, Listening listening) {
    this.access = access;
    this.listening = listening;
  }

  /** What is audited. */
  private record Pending(AuditEntry entry, Auditing auditing) {}

  /**
   * @throws ProblemException if the caller may not run the operation
   */
  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    if (!(handler instanceof HandlerMethod operation)
        || !operation.getBeanType().getPackage().equals(AccessInterceptor.class.getPackage())) {
      return true;
    }
    String id = operation.getMethod().getName();
    Rule rule =
        OperationRules.find(id)
            .orElseThrow(() -> new IllegalStateException("no rule for the operation " + id));
    Caller caller = Caller.of(request);
    if (!rule.isOpen()
        && caller.principal().isEmpty()
        && AccessFilter.areAccountsOn(access, listening)) {
      throw AccessFilter.keyRequired(access);
    }
    rule.check(caller, variables(request));
    access.ifPresent(open -> begin(open, rule.auditing(), caller, id, request));
    return true;
  }

  private static void begin(
      Access access, Auditing auditing, Caller caller, String id, HttpServletRequest request) {
    switch (auditing) {
      case NONE -> {}
      case BEFORE -> {
        AuditEntry entry = entry(caller, id, request, detail(request));
        request.setAttribute(ENTRY, new Pending(access.audit().begin(entry), auditing));
      }
      case AFTER -> {
        if (caller.principal().isPresent()) {
          access.queue().checkRoom();
          request.setAttribute(ENTRY, new Pending(entry(caller, id, request, ""), auditing));
        }
      }
    }
  }

  @Override
  public void afterCompletion(
      HttpServletRequest request,
      HttpServletResponse response,
      Object handler,
      @Nullable Exception failure) {
    if (access.isEmpty() || !(request.getAttribute(ENTRY) instanceof Pending pending)) {
      return;
    }
    Caller caller = Caller.of(request);
    String target = join(pending.entry.target(), caller.subject());
    AuditEntry ended =
        pending.entry.withTarget(target).ended(Integer.toString(response.getStatus()));
    if (pending.auditing == Auditing.BEFORE) {
      end(access.get(), ended);
    } else if (response.getStatus() < HttpStatus.BAD_REQUEST.value()) {
      access.get().queue().add(ended);
    } else if (response.getStatus() >= HttpStatus.INTERNAL_SERVER_ERROR.value()
        && !caller.isRefused()) {
      access.get().queue().addFailed(ended);
    }
  }

  private static void end(Access access, AuditEntry ended) {
    try {
      access.audit().end(ended);
    } catch (AccessUnavailableException e) {
      access.queue().add(ended);
    }
  }

  private static AuditEntry entry(
      Caller caller, String id, HttpServletRequest request, String detail) {
    Map<String, String> variables = variables(request);
    return AuditEntry.begun(
        Instant.now(),
        caller.actor(),
        id,
        join(
            variables.getOrDefault("pool", ""),
            variables.getOrDefault("value", ""),
            variables.getOrDefault("migration", "")),
        detail);
  }

  private static String join(String... parts) {
    return Stream.of(parts).filter(part -> !part.isEmpty()).collect(Collectors.joining(" "));
  }

  /** The query and the body: neither has a secret in the operations that are audited so. */
  private static String detail(HttpServletRequest request) {
    String query = Objects.requireNonNullElse(request.getQueryString(), "");
    return request.getAttribute(BodyFilter.BYTES) instanceof byte[] body
        ? join(query, new String(body, StandardCharsets.UTF_8))
        : query;
  }

  @SuppressWarnings("unchecked") // As Spring declares the attribute.
  private static Map<String, String> variables(HttpServletRequest request) {
    return request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE)
            instanceof Map<?, ?> variables
        ? (Map<String, String>) variables
        : Map.of();
  }
}
