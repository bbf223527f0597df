package dev.mintmark.spring;

import dev.mintmark.Catalog;
import dev.mintmark.Keyring;
import dev.mintmark.Masks;
import dev.mintmark.OldFaceListener;
import dev.mintmark.Puris;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** What follows from a catalog, whether it comes from a file or from the application. */
@AutoConfiguration(after = MintmarkCatalogAutoConfiguration.class)
@ConditionalOnBean(Catalog.class)
final class MintmarkMasksAutoConfiguration {
  MintmarkMasksAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  static Puris mintmarkPuris(Catalog catalog) {
    return Puris.of(catalog);
  }

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnBean(Keyring.class)
  static Masks mintmarkMasks(
      Catalog catalog,
      Keyring keyring,
      ObjectProvider<InstantSource> clock,
      ObjectProvider<OldFaceListener> listener) {
    return Masks.of(
        catalog,
        keyring,
        clock.getIfUnique(InstantSource::system),
        listener.getIfUnique(() -> OldFaceListener.NONE));
  }
}
