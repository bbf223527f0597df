package dev.mintmark.operations.migrate;

/**
 * Why a plan cannot be applied.
 *
 * @param collection the collection it is about
 * @param object what stands in the way: {@code materialized view public.sales}
 * @param reason why it does
 * @param remedy what can be done about it
 */
public record Refusal(String collection, String object, String reason, String remedy) {}
