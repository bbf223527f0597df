package dev.mintmark.app.view;

/**
 * The value of a column, as JSON.
 *
 * @param value a string for every type, since a bigint can pass 2^53-1
 */
record StoredValueJson(String type, String value) {}
