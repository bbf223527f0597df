package dev.mintmark.operations.doctor;

import java.util.Optional;

/**
 * A table whose values the doctor could not read, or not all of them.
 *
 * @param schema its schema
 * @param name its name
 * @param shown both, as PostgreSQL writes them
 * @param reason why not
 * @param remedy the statement after which this role can read it; empty if another session locks the
 *     table
 */
public record UnseenTable(
    String schema, String name, String shown, String reason, Optional<String> remedy) {}
