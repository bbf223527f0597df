package dev.mintmark.spring;

import dev.mintmark.Catalog;
import dev.mintmark.OldFaceListener;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Counts the use of old faces, with Micrometer. */
@AutoConfiguration(
    after = MintmarkCatalogAutoConfiguration.class,
    before = MintmarkMasksAutoConfiguration.class)
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(Catalog.class)
final class MintmarkOldFacesAutoConfiguration {
  MintmarkOldFacesAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  static OldFaceListener mintmarkOldFaceMeter(
      ObjectProvider<MeterRegistry> registry,
      @Qualifier("mintmarkClient") ObjectProvider<Supplier<String>> client) {
    return new OldFaceMeter(
        registry::getIfAvailable,
        () -> {
          Supplier<String> known = client.getIfAvailable();
          return known == null ? null : known.get();
        });
  }
}
