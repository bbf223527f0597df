package dev.mintmark.app.log;

import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * The stack trace of an exception, with its causes. Only it has line breaks, not what it quotes.
 */
final class StackText {
  /** The maximum of frames of one exception: those that the causes share come last. */
  private static final int FRAMES_MAX = 100;

  /** The maximum of exceptions: causes, and those that were suppressed. */
  private static final int EXCEPTIONS_MAX = 16;

  private final StringBuilder text = new StringBuilder();
  private final Set<IThrowableProxy> seen = Collections.newSetFromMap(new IdentityHashMap<>());

  private StackText() {}

  /** Returns a stack trace as Java prints it, with a line break at its end. */
  static String of(IThrowableProxy thrown) {
    StackText stack = new StackText();
    stack.append(thrown, "");
    return stack.text.toString();
  }

  private void append(IThrowableProxy thrown, String caption) {
    if (seen.size() == EXCEPTIONS_MAX || !seen.add(thrown)) {
      return;
    }
    text.append(caption).append(thrown.getClassName());
    if (thrown.getMessage() != null) {
      EscapedText.append(text.append(": "), thrown.getMessage());
    }
    text.append('\n');
    StackTraceElementProxy[] trace = thrown.getStackTraceElementProxyArray();
    int shown = Math.min(FRAMES_MAX, trace.length - Math.max(0, thrown.getCommonFrames()));
    for (int i = 0; i < shown; i++) {
      text.append("\tat ").append(trace[i].getStackTraceElement()).append('\n');
    }
    if (shown < trace.length) {
      text.append("\t... ").append(trace.length - shown).append(" more\n");
    }
    for (IThrowableProxy suppressed : thrown.getSuppressed()) {
      append(suppressed, "\tSuppressed: ");
    }
    if (thrown.getCause() != null) {
      append(thrown.getCause(), "Caused by: ");
    }
  }
}
