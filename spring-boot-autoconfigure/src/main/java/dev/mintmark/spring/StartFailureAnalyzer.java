package dev.mintmark.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Prints a failure of Mintmark at the start of an application with its remedy. */
final class StartFailureAnalyzer extends AbstractFailureAnalyzer<StartFailure> {
  StartFailureAnalyzer() {}

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, StartFailure cause) {
    return new FailureAnalysis(String.valueOf(cause.getMessage()), cause.remedy(), cause);
  }
}
