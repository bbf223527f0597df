package dev.mintmark.spring;

import dev.mintmark.MintException;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.postgres.pool.UnknownPoolException;
import dev.mintmark.postgres.pool.numbers.LeasedSnowflakes;
import java.util.Locale;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** Snowflakes whose worker number is leased from a pool, if a property names the pool. */
@AutoConfiguration(after = MintmarkPoolsAutoConfiguration.class)
@ConditionalOnClass(LeasedSnowflakes.class)
@ConditionalOnProperty("mintmark.snowflakes.pool")
final class MintmarkSnowflakesAutoConfiguration {
  private static final String DECLARATION =
      "Declare it in the catalog, such as pools: { %s: { range: 0..1023, lease: 30s } }, or set"
          + " mintmark.snowflakes.pool to the name of a pool that the database has.";

  MintmarkSnowflakesAutoConfiguration() {}

  /** Closed after the server of the application, and before the pools and the data source. */
  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  @ConditionalOnBean(Pools.class)
  static LeasedSnowflakes mintmarkSnowflakes(
      Pools pools,
      ObjectProvider<DeclaredPools> declared,
      MintmarkProperties properties,
      Environment environment) {
    declared.ifAvailable(each -> each.prepare(pools));
    MintmarkProperties.Snowflakes settings = properties.snowflakes();
    String pool = String.valueOf(settings.pool());
    try {
      return LeasedSnowflakes.open(
          pools.open(pool), settings.snowflakeLayout(), settings.owner(environment));
    } catch (UnknownPoolException e) {
      throw new StartFailure(
          "mintmark.snowflakes.pool is %s, and the database has no such pool.".formatted(pool),
          DECLARATION.formatted(pool),
          e);
    } catch (IllegalArgumentException e) {
      throw new StartFailure(
          "The pool of mintmark.snowflakes.pool, %s, does not fit: %s"
              .formatted(pool, e.getMessage()),
          "The pool must have numbers of the layout %s, and a lease."
              .formatted(settings.layout().name().toLowerCase(Locale.ROOT)),
          e);
    } catch (MintException e) {
      throw new StartFailure(
          "No worker number is free for this instance: " + e.getMessage(),
          "Add a block of numbers to the pool, or wait until the lease of an instance that was"
              + " killed has ended.",
          e);
    }
  }
}
