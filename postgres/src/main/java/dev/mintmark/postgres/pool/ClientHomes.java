package dev.mintmark.postgres.pool;

import dev.mintmark.postgres.pool.ClaimRequest.Subject;
import dev.mintmark.postgres.pool.SliceStore.Home;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Answers claims of a pool that instances grant from slices. Safe for use by many threads. */
final class ClientHomes {
  private final PoolContext context;

  ClientHomes(PoolContext context) {
    this.context = context;
  }

  /** The answers to some of the requests: those for the subjects. */
  Map<Subject, ClaimResult> of(List<ClaimRequest> requests, Set<Subject> subjects) {
    if (subjects.isEmpty()) {
      return Map.of();
    }
    Map<Integer, List<ClaimRequest>> byBucket =
        requests.stream()
            .filter(request -> subjects.contains(request.subject()))
            .collect(Collectors.groupingBy(request -> ClientBuckets.of(request.client())));
    Map<Integer, Home> homes = SliceStore.homes(context, byBucket.keySet());
    Map<Subject, ClaimResult> results = new HashMap<>();
    byBucket.forEach(
        (bucket, some) ->
            some.forEach(
                request -> results.put(request.subject(), answer(request, homes.get(bucket)))));
    return results;
  }

  /** The answer to one request. */
  ClaimResult of(ClaimRequest request) {
    int bucket = ClientBuckets.of(request.client());
    return answer(request, SliceStore.homes(context, List.of(bucket)).get(bucket));
  }

  /** No slice has the bucket while one is being taken, or its instance was killed. */
  private ClaimResult answer(ClaimRequest request, @Nullable Home home) {
    return home == null
        ? context.contended(request)
        : new ClaimResult.Elsewhere(context.name(), home.instance());
  }
}
