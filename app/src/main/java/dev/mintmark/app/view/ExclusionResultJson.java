package dev.mintmark.app.view;

import dev.mintmark.Block;
import dev.mintmark.app.service.ExclusionRequest;
import java.util.List;

/**
 * The exclusions of a pool after a request to change them, as JSON.
 *
 * @param changed whether they were others before
 * @param exclude what the pool excludes
 * @param held the first page of the claims of excluded values
 */
public record ExclusionResultJson(boolean changed, List<String> exclude, ClaimPageJson held) {
  public static ExclusionResultJson of(ExclusionRequest.Outcome outcome) {
    return new ExclusionResultJson(
        outcome.changed(),
        outcome.exclude().stream().map(Block::toString).toList(),
        ClaimPageJson.of(outcome.held()));
  }
}
