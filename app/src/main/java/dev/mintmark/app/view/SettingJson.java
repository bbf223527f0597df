package dev.mintmark.app.view;

import org.jspecify.annotations.Nullable;

/**
 * A setting that is in force, as {@code mintmark config} shows it.
 *
 * @param value as it is written; null if it has none; {@code (set)} if it is secret
 * @param source {@code flag}, {@code environment}, {@code file} or {@code default}
 * @param place the flag, the variable, or the file with its line; null for a default
 */
public record SettingJson(
    String name, @Nullable String value, String source, @Nullable String place) {}
