package dev.mintmark.operations.migrate;

/**
 * Where rollback ends: with the first value that the old column cannot hold.
 *
 * @param column the column, as PostgreSQL writes it: {@code public.orders.id}
 * @param query asks for the greatest value there is: one row, null where there is none
 * @param last the greatest value with which rollback is possible
 */
public record Limit(String column, String query, long last) {}
