package dev.mintmark.spring;

import dev.mintmark.Catalog;
import dev.mintmark.IdType;
import dev.mintmark.Mint;
import dev.mintmark.Order;
import dev.mintmark.Ulid;
import java.util.Optional;
import java.util.UUID;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.ConfigurationPropertiesBinding;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/** What every application has: mints, and the conversion of its own identifier classes. */
@AutoConfiguration
@EnableConfigurationProperties(MintmarkProperties.class)
final class MintmarkAutoConfiguration {
  MintmarkAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  static DeclaredIdTypes mintmarkIdTypes(
      ConfigurableBeanFactory beanFactory,
      ObjectProvider<IdType<?>> beans,
      ObjectProvider<Catalog> catalog) {
    ClassLoader loader = beanFactory.getBeanClassLoader();
    return new DeclaredIdTypes(
        loader == null ? ClassLoader.getSystemClassLoader() : loader,
        () -> beans.orderedStream().toList(),
        () -> Optional.ofNullable(catalog.getIfAvailable()));
  }

  @Bean
  @ConfigurationPropertiesBinding
  static IdTypeConverter mintmarkIdTypeConverter(DeclaredIdTypes types) {
    return new IdTypeConverter(types);
  }

  /** ULIDs in ascending order across the threads of this process. */
  @Bean
  @Lazy
  @ConditionalOnMissingBean(parameterizedContainer = Mint.class)
  Mint<Ulid> ulidMint() {
    return Mint.ofUlids(Order.ASCENDING);
  }

  /** UUIDs of version 7 in ascending order across the threads of this process. */
  @Bean
  @Lazy
  @ConditionalOnMissingBean(parameterizedContainer = Mint.class)
  Mint<UUID> uuidMint() {
    return Mint.ofUuidsV7(Order.ASCENDING);
  }
}
