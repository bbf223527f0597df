package dev.mintmark.spring;

import dev.mintmark.Catalog;
import dev.mintmark.postgres.pool.Pools;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What operators see: the health and the meters of pools, and the catalog as an endpoint. */
@AutoConfiguration(after = MintmarkPoolsAutoConfiguration.class)
@ConditionalOnBean(Catalog.class)
final class MintmarkActuatorAutoConfiguration {
  MintmarkActuatorAutoConfiguration() {}

  /** Has the modules of Spring Boot for health. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({
    HealthIndicator.class,
    ConditionalOnEnabledHealthIndicator.class,
    Pools.class
  })
  static final class PoolsAreHealthy {
    PoolsAreHealthy() {}

    @Bean
    @ConditionalOnBean(Pools.class)
    @ConditionalOnMissingBean
    @ConditionalOnEnabledHealthIndicator("mintmark")
    static PoolsHealth mintmarkHealthIndicator(Pools pools, Catalog catalog) {
      return new PoolsHealth(pools, DeclaredPools.of(catalog, pools));
    }
  }

  /** Has Micrometer. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({MeterBinder.class, Pools.class})
  static final class PoolsAreMetered {
    PoolsAreMetered() {}

    @Bean
    @ConditionalOnBean(Pools.class)
    @ConditionalOnMissingBean
    static PoolMeters mintmarkPoolMeters(Pools pools, Catalog catalog) {
      return new PoolMeters(pools, DeclaredPools.of(catalog, pools));
    }
  }

  /** Has the actuator. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
  static final class CatalogIsShown {
    CatalogIsShown() {}

    @Bean
    @ConditionalOnAvailableEndpoint
    @ConditionalOnMissingBean
    static CatalogEndpoint mintmarkCatalogEndpoint(Catalog catalog) {
      return new CatalogEndpoint(catalog);
    }
  }
}
