package dev.mintmark.spring;

import dev.mintmark.hibernate.MintmarkTypes;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.hibernate.autoconfigure.HibernatePropertiesCustomizer;
import org.springframework.boot.persistence.autoconfigure.EntityScanner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;

/**
 * Tells Hibernate the identifiers that only the application knows: those of beans, and the records
 * beside its entities that the catalog makes identifiers.
 */
@AutoConfiguration(
    after = {MintmarkAutoConfiguration.class, MintmarkCatalogAutoConfiguration.class},
    beforeName = "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration")
@ConditionalOnClass({EntityScanner.class, HibernatePropertiesCustomizer.class, MintmarkTypes.class})
final class MintmarkHibernateTypesAutoConfiguration {
  MintmarkHibernateTypesAutoConfiguration() {}

  @Bean
  static HibernatePropertiesCustomizer mintmarkHibernateTypes(
      ApplicationContext application, DeclaredIdTypes types) {
    return properties ->
        properties.put(MintmarkTypes.TYPES_SETTING, EntityIdTypes.of(application, types));
  }
}
