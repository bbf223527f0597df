package dev.mintmark.spring;

import dev.mintmark.Catalog;
import dev.mintmark.postgres.pool.Pools;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;
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
  private static final String POOLS = "mintmarkPools";

  MintmarkPoolsAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  static DeclaredPools mintmarkDeclaredPools(
      ObjectProvider<Catalog> catalog, MintmarkProperties properties) {
    return new DeclaredPools(
        Optional.ofNullable(catalog.getIfAvailable()), properties.pools().declare());
  }

  /** Uses the database only if the catalog declares pools, or the application uses it. */
  @Bean(POOLS)
  @Lazy
  @ConditionalOnMissingBean
  @DependsOnDatabaseInitialization
  static Pools mintmarkPools(DataSource dataSource, DeclaredPools declared) {
    Pools pools = Pools.over(dataSource);
    try {
      declared.prepare(pools);
      return pools;
    } catch (RuntimeException e) {
      pools.close();
      throw e;
    }
  }

  /**
   * Idle, in place of a bean that is absent, because what a catalog declares is read later. Pools
   * that are a bean of the application, such as those of several databases, are declared here; only
   * the application knows through which data source they listen.
   */
  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnBean(Catalog.class)
  @DependsOnDatabaseInitialization
  static PoolsLifecycle mintmarkPoolsLifecycle(
      Pools pools,
      DeclaredPools declared,
      DataSource dataSource,
      Catalog catalog,
      MintmarkProperties properties,
      BeanFactory beans) {
    declared.prepare(pools);
    MintmarkProperties.Pools settings = properties.pools();
    Optional<DataSource> listening =
        beans.containsBean(POOLS) ? Optional.of(dataSource) : Optional.empty();
    return new PoolsLifecycle(
        pools, declared, listening, catalog.pools().isEmpty() ? settings.idle() : settings);
  }
}
