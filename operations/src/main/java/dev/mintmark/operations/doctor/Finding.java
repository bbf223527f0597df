package dev.mintmark.operations.doctor;

import java.time.LocalDate;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One thing that the doctor found.
 *
 * @param check which check found it
 * @param severity how bad it is
 * @param object the column, table, index, constraint, function or sequence, as PostgreSQL writes
 *     its name: {@code public.orders.id}
 * @param found what was found there, with its numbers, in one sentence
 * @param remedy what to do about it; if that is SQL, the statements are all of it or follow a colon
 *     and a space, with a semicolon between them
 * @param savedBytes how much smaller table and indexes would be, estimated from what the statistics
 *     say of rows and widths; empty where that is not what it is about
 * @param runsOut the day by which the values are used up, at the rate that {@code found} names;
 *     empty where no rate is known or it is not what it is about
 */
public record Finding(
    Check check,
    Severity severity,
    String object,
    String found,
    String remedy,
    OptionalLong savedBytes,
    Optional<LocalDate> runsOut) {

  static Finding of(Check check, Severity severity, String object, String found, String remedy) {
    return new Finding(
        check, severity, object, found, remedy, OptionalLong.empty(), Optional.empty());
  }
}
