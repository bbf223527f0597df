package dev.mintmark.app.http;

import dev.mintmark.postgres.pool.Failover;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs failovers of the database, and what was done with each pool. */
public final class FailoverLog implements Failover.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(FailoverLog.class);

  @Override
  public void failedOver(Failover failover) {
    LOG.warn(
        "the database has begun another history (timeline {}, before {}): {}",
        failover.timeline().orElse("unknown"),
        failover.timelineBefore().orElse("unknown"),
        failover.wentBack()
            ? "claims that were acknowledged are lost"
            : "claims that were acknowledged shortly before may be lost");
  }

  @Override
  public void settled(Failover.Settled settled) {
    switch (settled.conduct()) {
      case TRUST ->
          LOG.info("pool \"{}\" goes on: it trusts that no claim is lost", settled.pool());
      case QUARANTINE ->
          LOG.warn(
              "pool \"{}\": values that are not held rest until {}, when every claim that may be"
                  + " lost has ended",
              settled.pool(),
              settled.restUntil().map(Instant::toString).orElse("unknown"));
      case STOP ->
          LOG.error(
              "pool \"{}\" grants nothing until mintmark pool quarantine {} --all --for TIME, or"
                  + " mintmark pool resume {} if no claim is lost",
              settled.pool(),
              settled.pool(),
              settled.pool());
    }
  }
}
