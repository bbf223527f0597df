package dev.mintmark.spring;

import dev.mintmark.hibernate.MintedGenerator;
import jakarta.persistence.EntityManagerFactory;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** The check that the SQL pack is there if entities have ids that the server mints. */
@AutoConfiguration(
    after = MintmarkDatabaseAutoConfiguration.class,
    afterName = "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration")
@ConditionalOnClass({
  EntityManagerFactory.class,
  SessionFactoryImplementor.class,
  MintedGenerator.class
})
@ConditionalOnBean(EntityManagerFactory.class)
final class MintmarkServerMintsAutoConfiguration {
  MintmarkServerMintsAutoConfiguration() {}

  @Bean
  static ServerMintCheck mintmarkServerMintCheck(ObjectProvider<EntityManagerFactory> factories) {
    return new ServerMintCheck(factories);
  }
}
