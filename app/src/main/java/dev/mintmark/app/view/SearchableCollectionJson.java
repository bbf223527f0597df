package dev.mintmark.app.view;

import java.util.List;

/**
 * A collection whose rows may be searched, as JSON.
 *
 * @param columns what is shown of a row
 */
public record SearchableCollectionJson(String collection, List<String> columns) {}
