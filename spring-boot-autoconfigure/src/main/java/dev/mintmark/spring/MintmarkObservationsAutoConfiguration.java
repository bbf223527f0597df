package dev.mintmark.spring;

import dev.mintmark.Mint;
import dev.mintmark.postgres.page.KeysetPages;
import dev.mintmark.postgres.pool.Pools;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.observation.ObservationRegistry;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Observations of claims, the lag of pages and the drift of mints, with Micrometer. */
@AutoConfiguration(
    after = MintmarkPoolsAutoConfiguration.class,
    afterName =
        "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration")
final class MintmarkObservationsAutoConfiguration {
  MintmarkObservationsAutoConfiguration() {}

  /** Has Micrometer's observations. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({ObservationRegistry.class, Pools.class})
  @ConditionalOnBean({ObservationRegistry.class, Pools.class})
  static final class OfClaims {
    OfClaims() {}

    /**
     * When pools are opened. Nothing is observed if no handler is registered by then, or if the
     * application has a listener of its own.
     */
    @Bean
    static BeanPostProcessor mintmarkClaimObservations(
        ObjectProvider<ObservationRegistry> registries) {
      return new BeanPostProcessor() {
        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
          if (bean instanceof Pools pools && !pools.reportsClaims()) {
            ObservationRegistry registry = registries.getObject();
            if (!registry.isNoop()) {
              pools.reportClaims(new ClaimObservations(registry));
            }
          }
          return bean;
        }
      };
    }
  }

  /** Has Micrometer's meters. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({MeterBinder.class, KeysetPages.class, DataSource.class})
  @ConditionalOnSingleCandidate(DataSource.class)
  static final class OfPages {
    OfPages() {}

    @Bean
    @ConditionalOnMissingBean
    static PageMeters mintmarkPageMeters(
        ListableBeanFactory beans, ObjectProvider<DataSource> dataSource) {
      return new PageMeters(new PageBeans(beans), dataSource);
    }
  }

  /** Has Micrometer's registry. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(MeterRegistry.class)
  static final class OfMints {
    OfMints() {}

    /** Of the mints that are used: a mint is made when it is first injected. */
    @Bean
    static BeanPostProcessor mintmarkMintMeters(ObjectProvider<MeterRegistry> registries) {
      return new BeanPostProcessor() {
        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
          if (bean instanceof Mint<?> mint) {
            registries.ifAvailable(
                registry ->
                    TimeGauge.builder(
                            "mintmark.mint.drift",
                            mint,
                            TimeUnit.NANOSECONDS,
                            each -> each.drift().toNanos())
                        .description("Time by which the last identifier is ahead of the clock")
                        .tag("mint", name)
                        .register(registry));
          }
          return bean;
        }
      };
    }
  }
}
