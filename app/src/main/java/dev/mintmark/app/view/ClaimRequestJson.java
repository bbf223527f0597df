package dev.mintmark.app.view;

import dev.mintmark.Quoted;
import dev.mintmark.app.service.DurationKey;
import dev.mintmark.postgres.pool.ClaimNote;
import dev.mintmark.postgres.pool.ClaimRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request for one value or, with {@code count}, for several values, or for a value for each of
 * many clients, as JSON.
 */
public record ClaimRequestJson(
    @Nullable String client,
    @Nullable List<@Nullable String> clients,
    @Nullable String owner,
    @Nullable String value,
    @Nullable Integer slot,
    @Nullable Integer count,
    @Nullable String lease,
    @Nullable ClaimNoteRequestJson note) {
  /** The most clients of one request. */
  public static final int CLIENTS_MAX = 1_024;

  /** Whether it is for many clients. */
  public boolean isForMany() {
    return clients != null;
  }

  /**
   * Returns the request of the one client.
   *
   * @throws IllegalArgumentException if the client is missing or a key is malformed
   */
  public ClaimRequest toRequest() {
    if (client == null) {
      throw new IllegalArgumentException("client is missing");
    }
    return toRequest(client);
  }

  /**
   * Returns the request of each of many clients, in their order.
   *
   * @throws IllegalArgumentException if there are none or too many, one occurs twice, or a key is
   *     malformed or is not for many clients
   */
  public List<ClaimRequest> toRequests() {
    List<@Nullable String> names = Objects.requireNonNull(clients);
    if (client != null) {
      throw new IllegalArgumentException("client and clients: expected one of them");
    }
    if (value != null || count != null) {
      throw new IllegalArgumentException(
          (value != null ? "value" : "count") + " applies to one client, not to clients");
    }
    if (names.isEmpty() || names.size() > CLIENTS_MAX) {
      throw new IllegalArgumentException(
          "%s clients: expected 1 to %,d".formatted(names.size(), CLIENTS_MAX));
    }
    Map<String, Integer> places = new HashMap<>();
    List<ClaimRequest> requests = new ArrayList<>(names.size());
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      if (name == null) {
        throw new IllegalArgumentException("clients[%s] is null".formatted(i));
      }
      Integer before = places.put(name, i);
      if (before != null) {
        throw new IllegalArgumentException(
            "clients[%s] and clients[%s] are both %s: a client is listed once"
                .formatted(before, i, Quoted.of(name)));
      }
      requests.add(toRequest(name));
    }
    return requests;
  }

  private ClaimRequest toRequest(String name) {
    return new ClaimRequest(
        name,
        Optional.ofNullable(owner),
        Optional.ofNullable(value),
        slot == null ? 0 : slot,
        count == null ? 1 : count,
        Optional.ofNullable(lease).map(text -> DurationKey.parse("lease", text)),
        writtenNote());
  }

  private ClaimNote writtenNote() {
    return note == null ? ClaimNote.NONE : note.toNote();
  }
}
