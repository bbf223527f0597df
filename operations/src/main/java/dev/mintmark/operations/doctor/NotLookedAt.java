package dev.mintmark.operations.doctor;

/**
 * What the doctor could not look at.
 *
 * @param object what: {@code values of public.orders.id}
 * @param reason why not
 */
public record NotLookedAt(String object, String reason) {}
