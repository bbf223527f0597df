package dev.mintmark.app.view;

import org.jspecify.annotations.Nullable;

/**
 * A text that a command converted, as JSON.
 *
 * @param output null if it could not be converted
 * @param error why it could not; null if it was
 */
public record ConvertedTextJson(String input, @Nullable String output, @Nullable String error) {}
