package dev.mintmark.spring;

import dev.mintmark.DurationText;
import dev.mintmark.SnowflakeLayout;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * The properties of Mintmark. Collections, faces and pools are declared in the catalog, not here,
 * because the command line, migrations and the warehouse read it too.
 *
 * @param catalog location of the catalog. By default classpath:mintmark.yaml, if it exists
 * @param secret keyring of the faces: NAME:SECRET, or several separated by commas, the newest first
 * @param secretFile location of a file with the keyring, instead of the keyring itself
 * @param pack the SQL pack
 * @param pools pools of the catalog
 * @param web identifiers in requests and answers
 * @param pages keyset pages
 * @param snowflakes Snowflakes with a leased worker number
 */
@ConfigurationProperties("mintmark")
record MintmarkProperties(
    @Nullable String catalog,
    @Nullable String secret,
    @Nullable String secretFile,
    @DefaultValue Pack pack,
    @DefaultValue Pools pools,
    @DefaultValue Web web,
    @DefaultValue Pages pages,
    @DefaultValue Snowflakes snowflakes) {

  /**
   * The SQL pack.
   *
   * @param install whether to install or upgrade the functions before Flyway, Liquibase and JPA
   *     start. Requires a role that may create a schema
   */
  record Pack(@DefaultValue("false") boolean install) {}

  /**
   * Pools of the catalog.
   *
   * @param install whether to create or upgrade the tables of pools before Flyway, Liquibase and
   *     JPA start. Requires a role that may create a schema
   * @param declare whether to create the pools of the catalog, and to add what they lack, at the
   *     start. Nothing is removed
   * @param sweep whether to run the sweeper, which frees values whose lease or quarantine has ended
   * @param sweepInterval time between two sweeps, at least 100ms
   * @param listen whether the bean Pools, unless it is one of the application, listens for values
   *     that other instances release. Takes one connection of the data source, which must go
   *     directly to the server
   */
  record Pools(
      @DefaultValue("false") boolean install,
      @DefaultValue("true") boolean declare,
      @DefaultValue("true") boolean sweep,
      @DefaultValue("1s") Duration sweepInterval,
      @DefaultValue("true") boolean listen) {
    Pools {
      if (sweepInterval.compareTo(SWEEP_INTERVAL_MIN) < 0) {
        throw new StartFailure(
            "mintmark.pools.sweep-interval is %s.".formatted(DurationText.format(sweepInterval)),
            "Set it to %s or more.".formatted(DurationText.format(SWEEP_INTERVAL_MIN)));
      }
    }

    /** That of {@code PoolSweeper}, whose module may be absent. */
    private static final Duration SWEEP_INTERVAL_MIN = Duration.ofMillis(100);

    /** Returns these settings without a sweeper and a listener. */
    Pools idle() {
      return new Pools(install, declare, false, sweepInterval, false);
    }
  }

  /**
   * Identifiers in requests and answers.
   *
   * @param faces whether identifiers of collections with a face are shown and read as that face
   * @param plainFormats whether Jackson may read and write bodies of other formats than JSON
   *     without faces
   * @param problems whether a malformed identifier is answered with 400 and a problem document
   */
  record Web(
      @DefaultValue("true") boolean faces,
      @DefaultValue("false") boolean plainFormats,
      @DefaultValue("true") boolean problems) {}

  /**
   * Keyset pages.
   *
   * @param check whether to check at the start that tables, and entities of Hibernate, fit the
   *     pages that are beans
   * @param limitDefault rows of a page that is requested without a limit
   * @param limitMax the greatest limit of a request, at most 10000
   */
  record Pages(
      @DefaultValue("true") boolean check,
      @DefaultValue("25") int limitDefault,
      @DefaultValue("100") int limitMax) {
    Pages {
      if (limitDefault < 1 || limitDefault > limitMax || limitMax > LIMIT_MAX) {
        throw new StartFailure(
            "mintmark.pages.limit-default is %s, and mintmark.pages.limit-max is %s."
                .formatted(limitDefault, limitMax),
            "Set them so that 1 <= limit-default <= limit-max <= %s.".formatted(LIMIT_MAX));
      }
    }

    /** That of {@code PageRequest}, whose module may be absent. */
    private static final int LIMIT_MAX = 10_000;
  }

  /**
   * Snowflakes with a leased worker number.
   *
   * @param pool name of the pool that has the worker numbers, a range of the catalog with a lease.
   *     Without it there is no bean
   * @param layout layout of the Snowflakes
   * @param epoch epoch of the Snowflakes, such as 2025-01-01T00:00:00Z, in place of that of the
   *     layout
   * @param name owner of the claim, for people who look at the pool. By default that of the
   *     application
   */
  record Snowflakes(
      @Nullable String pool,
      @DefaultValue("twitter") Layout layout,
      @Nullable Instant epoch,
      @Nullable String name) {
    Snowflakes {
      if (epoch != null && !isEpoch(epoch)) {
        throw new StartFailure(
            "mintmark.snowflakes.epoch is %s.".formatted(epoch),
            "Set it to a whole millisecond from 1970 until now, such as 2025-01-01T00:00:00Z.");
      }
    }

    private static boolean isEpoch(Instant epoch) {
      return epoch.equals(epoch.truncatedTo(ChronoUnit.MILLIS))
          && !epoch.isBefore(Instant.EPOCH)
          && !epoch.isAfter(Instant.now());
    }

    /** The owner of the claim. */
    String owner(Environment environment) {
      return Stream.of(name, environment.getProperty("spring.application.name"))
          .filter(StringUtils::hasText)
          .findFirst()
          .orElse("application");
    }

    /** The layout, with the epoch. */
    SnowflakeLayout snowflakeLayout() {
      SnowflakeLayout known =
          switch (layout) {
            case TWITTER -> SnowflakeLayout.TWITTER;
            case DISCORD -> SnowflakeLayout.DISCORD;
            case INSTAGRAM -> SnowflakeLayout.INSTAGRAM;
            case SONY -> SnowflakeLayout.SONY;
          };
      return epoch == null ? known : known.withEpoch(epoch);
    }

    /** A layout that has a name. */
    enum Layout {
      TWITTER,
      DISCORD,
      INSTAGRAM,
      SONY
    }
  }
}
