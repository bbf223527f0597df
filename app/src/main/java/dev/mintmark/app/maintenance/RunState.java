package dev.mintmark.app.maintenance;

import java.time.Instant;
import java.util.Optional;

/**
 * What is known of work in the background.
 *
 * @param runningSince when the run began that is in progress; empty if there is none
 * @param ended when the last run ended; empty if there was none
 * @param value the result of the last run; empty if there was none or it failed
 * @param failure why the last run failed; empty if it did not
 */
public record RunState<T>(
    Optional<Instant> runningSince,
    Optional<Instant> ended,
    Optional<T> value,
    Optional<String> failure) {}
