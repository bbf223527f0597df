package dev.mintmark.spring;

import dev.mintmark.Catalog;
import dev.mintmark.PoolSpec;
import dev.mintmark.postgres.pool.Pools;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/** The pools of the catalog, with the sweeper and the listener of this instance. */
@AutoConfiguration(
    after = {MintmarkMasksAutoConfiguration.class, MintmarkDatabaseAutoConfiguration.class},
    afterName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
@ConditionalOnClass({Pools.class, DependsOnDatabaseInitialization.class})
@ConditionalOnSingleCandidate(DataSource.class)
final class MintmarkPoolsAutoConfiguration {
  MintmarkPoolsAutoConfiguration() {}

  /** Uses the database only if the catalog declares pools, or the application uses it. */
  @Bean
  @Lazy
  @ConditionalOnMissingBean
  @DependsOnDatabaseInitialization
  static Pools mintmarkPools(
      DataSource dataSource, MintmarkProperties properties, ObjectProvider<Catalog> catalog) {
    Pools pools = Pools.over(dataSource);
    try {
      DeclaredPools.prepare(pools, declared(catalog), properties.pools().declare());
      return pools;
    } catch (RuntimeException e) {
      pools.close();
      throw e;
    }
  }

  private static List<PoolSpec> declared(ObjectProvider<Catalog> catalog) {
    Catalog known = catalog.getIfAvailable();
    return known == null ? List.of() : known.pools();
  }

  /** Idle, in place of a bean that is absent, because what a catalog declares is read later. */
  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnBean(Catalog.class)
  static PoolsLifecycle mintmarkPoolsLifecycle(
      Pools pools, DataSource dataSource, Catalog catalog, MintmarkProperties properties) {
    MintmarkProperties.Pools settings = properties.pools();
    return new PoolsLifecycle(
        pools, dataSource, catalog.pools().isEmpty() ? settings.idle() : settings);
  }
}
