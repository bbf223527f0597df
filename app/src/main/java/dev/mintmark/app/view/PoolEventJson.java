package dev.mintmark.app.view;

import dev.mintmark.app.service.PoolEvent;

/**
 * What happened to a watched pool, as JSON: {@code {"type": "deleted", "data": {"at": "..."}}}. In
 * a stream of server-sent events the type is the name of the event.
 *
 * @param type pool, threshold, unavailable or deleted
 * @param data {@link PoolJson}, {@link PoolThresholdJson}, {@link PoolOutageJson} or {@link
 *     PoolDeletionJson}
 */
public record PoolEventJson(String type, Object data) {
  public static PoolEventJson of(PoolEvent event) {
    if (event instanceof PoolEvent.Standing standing) {
      return new PoolEventJson("pool", PoolJson.of(standing.pool(), standing.stats()));
    }
    if (event instanceof PoolEvent.Threshold threshold) {
      return new PoolEventJson("threshold", PoolThresholdJson.of(threshold));
    }
    if (event instanceof PoolEvent.Unavailable unavailable) {
      return new PoolEventJson("unavailable", new PoolOutageJson(unavailable.since()));
    }
    return new PoolEventJson("deleted", new PoolDeletionJson(((PoolEvent.Deleted) event).at()));
  }
}
