package dev.mintmark.app.http;

import dev.mintmark.postgres.pool.Failover;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs failovers of the database, and what was done with each pool. */
public final class FailoverLog implements Failover.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(FailoverLog.class);

  private final String database;

  /** Of the only database. */
  public FailoverLog() {
    this("the database");
  }

  private FailoverLog(String database) {
    this.database = database;
  }

  /** Of one of several databases. */
  public static FailoverLog of(String name) {
    return new FailoverLog("the database " + name);
  }

  @Override
  public void failedOver(Failover failover) {
    LOG.warn(
        "{} has begun another history (timeline {}, before {}): {}",
        database,
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
