package dev.mintmark.app.view;

import org.jspecify.annotations.Nullable;

/**
 * A request that undoes or ends a migration.
 *
 * @param table the name of the table of the migration, which confirms it
 */
public record MigrationConfirmationJson(@Nullable String table) {}
