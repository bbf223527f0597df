package dev.mintmark.app.view;

import org.jspecify.annotations.Nullable;

/**
 * A value of a row, as JSON.
 *
 * @param text as PostgreSQL writes it; null if the value is null
 * @param cut whether {@code text} is only the beginning
 */
public record RowValueJson(String column, @Nullable String text, boolean cut) {}
