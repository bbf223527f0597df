package dev.mintmark.operations.migrate;

/**
 * Where the way back ends: with the first value that the old column cannot hold.
 *
 * @param column the column, as PostgreSQL writes it: {@code public.orders.id}
 * @param query asks for the greatest value there is: one row, null where there is none
 * @param last the greatest value there is a way back from
 */
public record Limit(String column, String query, long last) {}
