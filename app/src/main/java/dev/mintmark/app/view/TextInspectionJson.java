package dev.mintmark.app.view;

import dev.mintmark.app.service.TextInspection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The identifiers in a text, as JSON.
 *
 * @param ids in their order
 * @param truncated whether the text has more
 * @param nearestMiss what comes nearest to an identifier; null if there are identifiers
 */
public record TextInspectionJson(
    List<FoundIdJson> ids, boolean truncated, @Nullable NearestMissJson nearestMiss) {
  public static TextInspectionJson of(TextInspection.Result result) {
    return new TextInspectionJson(
        result.ids().stream().map(FoundIdJson::of).toList(),
        result.isTruncated(),
        result.nearestMiss().map(NearestMissJson::of).orElse(null));
  }
}
