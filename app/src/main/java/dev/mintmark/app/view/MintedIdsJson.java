package dev.mintmark.app.view;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Minted identifiers as JSON.
 *
 * @param collection null if the request named a kind
 */
public record MintedIdsJson(String kind, @Nullable String collection, List<String> ids) {}
