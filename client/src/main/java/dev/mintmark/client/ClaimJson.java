package dev.mintmark.client;

import dev.mintmark.DurationText;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Claims and what is asked of them, as JSON of the HTTP API. */
final class ClaimJson {
  private ClaimJson() {}

  static Claim claim(JsonObject json) {
    return new Claim(
        json.text("pool"),
        json.text("value"),
        json.text("client"),
        json.integer("slot"),
        json.optionalText("owner"),
        token(json.text("token")),
        json.time("claimed_at"),
        json.optionalTime("expires_at"),
        json.optionalTime("previous_end"),
        json.optionalText("ipv6"),
        json.optionalObject("note").map(ClaimJson::note));
  }

  static ClaimNote note(JsonObject json) {
    return new ClaimNote(
        json.texts("labels"), json.optionalText("dns_name"), json.optionalText("description"));
  }

  private static long token(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new JsonObject.UnreadableException("a token is not a number", e);
    }
  }

  /** The members of a request for claims, without the names of clients. */
  static Map<String, Object> members(ClaimOptions options) {
    Map<String, Object> members = new LinkedHashMap<>();
    options.owner().ifPresent(owner -> members.put("owner", owner));
    options.value().ifPresent(value -> members.put("value", value));
    if (options.slot() > 0) {
      members.put("slot", options.slot());
    }
    if (options.count() > 1) {
      members.put("count", options.count());
    }
    options.lease().ifPresent(lease -> members.put("lease", DurationText.format(lease)));
    if (!options.note().isEmpty()) {
      members.put("note", members(options.note()));
    }
    return members;
  }

  static Map<String, Object> members(ClaimNote note) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("labels", note.labels());
    note.dnsName().ifPresent(name -> members.put("dns_name", name));
    note.description().ifPresent(text -> members.put("description", text));
    return members;
  }

  /** The problem of one of many clients; empty if the client has a claim. */
  static Optional<Problem> problem(JsonObject outcome) {
    return outcome
        .optionalText("code")
        .map(
            code ->
                new Problem(
                    code,
                    outcome.integer("status"),
                    outcome.optionalText("detail").orElse(""),
                    outcome.optionalInteger("retry_after").map(Duration::ofSeconds)));
  }
}
