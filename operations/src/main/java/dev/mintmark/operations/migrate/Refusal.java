package dev.mintmark.operations.migrate;

/**
 * A reason why a plan cannot be applied.
 *
 * @param code the kind of reason, for programs
 * @param collection the collection that it concerns; several are separated by commas
 * @param object the object that prevents the migration: {@code materialized view public.sales}
 * @param reason why it prevents the migration
 * @param remedy what to do about it
 */
public record Refusal(
    RefusalCode code, String collection, String object, String reason, String remedy) {}
