package dev.mintmark.app.view;

import dev.mintmark.app.service.SettingsChange;
import java.util.List;

/**
 * A change of the settings of a pool as JSON: planned or done.
 *
 * @param deletesHistory whether ended claims are deleted because of it
 * @param changes the settings that differ
 */
public record PoolChangeJson(String pool, boolean deletesHistory, List<SettingChangeJson> changes) {
  public static PoolChangeJson of(SettingsChange change) {
    return new PoolChangeJson(
        change.after().name(),
        change.deletesHistory(),
        change.settings().stream().map(SettingChangeJson::of).toList());
  }
}
