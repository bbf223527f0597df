package dev.mintmark.verify.bench;

/** What some work in SQL took: by the clock, and of the processor in the session's process. */
record SqlCost(long elapsedNanos, long processorNanos) {}
