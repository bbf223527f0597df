package dev.mintmark.app.view;

import org.jspecify.annotations.Nullable;

/** A request to find the identifiers in a text, as JSON. */
public record TextInspectionRequestJson(@Nullable String text) {}
