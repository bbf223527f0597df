package dev.mintmark.app.http;

import dev.mintmark.app.view.ClaimOutcomeJson;
import dev.mintmark.app.view.ClaimOutcomesJson;
import dev.mintmark.postgres.pool.ClaimRequest;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.PoolUnavailableException;
import dev.mintmark.postgres.pool.UnknownPoolException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;

/**
 * A value for each of many clients. Each claim is on its own, as if its client had asked: some may
 * be granted and others not. They go to the database together with those of other requests.
 */
final class ManyClients {
  private ManyClients() {}

  /**
   * Claims for each client.
   *
   * @param requests all on behalf of the same owner
   * @return an outcome for each request, in their order
   * @throws ProblemException if the requests name another owner than that of the caller; nothing is
   *     claimed
   * @throws IllegalArgumentException if the pool cannot grant one of the requests; nothing is
   *     claimed
   */
  static CompletableFuture<ClaimOutcomesJson> claim(
      Pool pool, List<ClaimRequest> requests, Caller caller) {
    Optional<String> owner = caller.ownerOf(requests.get(0).owner());
    List<ClaimRequest> owned = requests.stream().map(one -> one.withOwner(owner)).toList();
    owned.forEach(pool::check);
    List<CompletableFuture<ClaimAnswer>> answers =
        owned.stream().map(request -> answer(pool, request, caller)).toList();
    return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
        .thenApply(
            all -> outcomes(owned, answers.stream().map(CompletableFuture::join).toList(), caller));
  }

  private static ClaimOutcomesJson outcomes(
      List<ClaimRequest> requests, List<ClaimAnswer> answers, Caller caller) {
    caller.changed(
        answers.stream()
            .map(ClaimAnswer::granted)
            .filter(granted -> !granted.isEmpty())
            .collect(Collectors.joining(" ")));
    List<ClaimOutcomeJson> outcomes = new ArrayList<>(requests.size());
    for (int i = 0; i < requests.size(); i++) {
      outcomes.add(outcome(requests.get(i), answers.get(i)));
    }
    return new ClaimOutcomesJson(outcomes);
  }

  private static CompletableFuture<ClaimAnswer> answer(
      Pool pool, ClaimRequest request, Caller caller) {
    try {
      caller.checkOtherSlots(request.client(), pool);
      return pool.claimAsync(request)
          .thenApply(result -> ClaimAnswer.of(result, pool.name(), caller))
          .exceptionally(ManyClients::failed);
    } catch (RuntimeException e) {
      // Others may have been granted already: it must not be the answer to all.
      return CompletableFuture.completedFuture(failed(e));
    }
  }

  /**
   * Returns the outcome of a client whose claim failed.
   *
   * @throws CompletionException if it is an error of the server
   */
  private static ClaimAnswer failed(Throwable failure) {
    Throwable cause = failure instanceof CompletionException e ? e.getCause() : failure;
    if (cause instanceof ProblemException e) {
      return refused(e);
    }
    if (cause instanceof PoolUnavailableException e) {
      ProblemException problem = Problems.problem(e);
      return problem.code() == ProblemCode.POOL_UNAVAILABLE
          ? ClaimAnswer.refused(
              problem.code(),
              String.valueOf(problem.getMessage()),
              Optional.of(Problems.RETRY_UNAVAILABLE_SECONDS))
          : refused(problem);
    }
    if (cause instanceof UnknownPoolException e) {
      return refused(e, ProblemCode.POOL_NOT_FOUND);
    }
    if (cause instanceof IllegalArgumentException e) {
      return refused(e, ProblemCode.INVALID_REQUEST); // The pool has changed since the check.
    }
    throw new CompletionException(cause);
  }

  private static ClaimAnswer refused(ProblemException e) {
    return refused(e, e.code());
  }

  private static ClaimAnswer refused(RuntimeException e, ProblemCode code) {
    return ClaimAnswer.refused(code, String.valueOf(e.getMessage()), Optional.empty());
  }

  private static ClaimOutcomeJson outcome(ClaimRequest request, ClaimAnswer answer) {
    int status = answer.status().value();
    return answer
        .refusal()
        .map(
            refusal ->
                ClaimOutcomeJson.refused(
                    request.client(),
                    status,
                    refusal.code().code(),
                    refusal.detail(),
                    refusal.retrySeconds()))
        .orElseGet(() -> ClaimOutcomeJson.held(status, answer.claims().get(0), request));
  }
}
