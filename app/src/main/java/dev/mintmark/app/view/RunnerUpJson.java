package dev.mintmark.app.view;

import dev.mintmark.app.service.choice.Recommendation;

/** The identifier that comes second, and the condition under which it is better, as JSON. */
public record RunnerUpJson(String take, String when) {
  static RunnerUpJson of(Recommendation.RunnerUp runnerUp) {
    return new RunnerUpJson(runnerUp.choice().take(), runnerUp.when());
  }
}
