package dev.mintmark.spring;

import jakarta.persistence.EntityManagerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.annotation.Bean;

/** With Hibernate and without Mintmark's types for it. */
@AutoConfiguration(
    after = MintmarkAutoConfiguration.class,
    afterName = "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration")
@ConditionalOnClass(EntityManagerFactory.class)
@ConditionalOnMissingClass("dev.mintmark.hibernate.MintmarkTypes")
final class MintmarkHibernateAutoConfiguration {
  MintmarkHibernateAutoConfiguration() {}

  @Bean
  @ConditionalOnBean(EntityManagerFactory.class)
  static EntityCheck mintmarkEntityCheck(
      ObjectProvider<EntityManagerFactory> factories, DeclaredIdTypes types) {
    return new EntityCheck(factories, types);
  }
}
