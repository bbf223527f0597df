package dev.mintmark.app.view;

import dev.mintmark.app.service.QuarantineRequest;
import java.util.List;

/**
 * The result of a request to quarantine named values, as JSON.
 *
 * @param quarantined the values that are quarantined now
 * @param held the values that are not, because a client holds them
 */
public record QuarantineResultJson(List<QuarantinedValueJson> quarantined, List<String> held) {
  public static QuarantineResultJson of(QuarantineRequest.Outcome outcome) {
    return new QuarantineResultJson(
        outcome.quarantined().entrySet().stream()
            .map(entry -> new QuarantinedValueJson(entry.getKey(), entry.getValue()))
            .toList(),
        outcome.held());
  }
}
