package dev.mintmark.app.view;

import dev.mintmark.app.service.SettingsChange;

/**
 * A setting that changes, as JSON.
 *
 * @param effect what the change means for claims
 */
public record SettingChangeJson(String setting, String before, String after, String effect) {
  static SettingChangeJson of(SettingsChange.Setting setting) {
    return new SettingChangeJson(
        setting.name(), setting.before(), setting.after(), setting.effect());
  }
}
