package dev.mintmark.app.view;

import org.jspecify.annotations.Nullable;

/**
 * A change of a block, as JSON.
 *
 * @param drains whether values of the block are no longer handed out
 */
public record BlockChangeJson(@Nullable Boolean drains) {}
