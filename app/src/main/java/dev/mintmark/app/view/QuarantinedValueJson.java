package dev.mintmark.app.view;

import java.time.Instant;

/** A quarantined value and the end of its quarantine, as JSON. */
record QuarantinedValueJson(String value, Instant until) {}
