package dev.mintmark.warehouse;

import dev.mintmark.fixtures.Conformance;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The JavaScript bodies of a printed script, in an engine that can run them here. */
interface Bodies {
  /** Returns the bodies of each warehouse in GraalJS, and in Node.js if it is installed. */
  static Stream<Bodies> everywhere() {
    return Stream.concat(
        PrintedBodies.engines().stream().map(PrintedBodies::of), NodeBodies.installed());
  }

  /** Returns the result of a function of texts; null if the result is null. */
  @Nullable String call(String function, @Nullable String... arguments);

  /** Returns the message with which a function fails. */
  String refusal(String function, String... arguments);

  /** Returns the record of what was compared. */
  Conformance compared();
}
