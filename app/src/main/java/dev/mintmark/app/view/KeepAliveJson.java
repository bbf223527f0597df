package dev.mintmark.app.view;

import dev.mintmark.postgres.pool.ManyClaims;
import java.util.List;

/**
 * What became of claims that were to be renewed, as JSON.
 *
 * @param renewed the claims that are held
 * @param lost the others
 */
public record KeepAliveJson(List<ClaimJson> renewed, List<HeldClaimJson> lost) {
  public static KeepAliveJson of(ManyClaims.Kept kept) {
    return new KeepAliveJson(
        kept.renewed().stream().map(ClaimJson::of).toList(),
        kept.lost().stream().map(HeldClaimJson::of).toList());
  }
}
