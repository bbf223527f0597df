package dev.mintmark.spring;

import dev.mintmark.postgres.page.KeysetPages;
import jakarta.persistence.EntityManagerFactory;
import javax.sql.DataSource;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Checks of the pages that are beans, at the start. Without such a bean nothing is checked. */
@AutoConfiguration(
    after = {MintmarkAutoConfiguration.class, MintmarkDatabaseAutoConfiguration.class},
    afterName = {
      "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
      "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration"
    })
@ConditionalOnClass(KeysetPages.class)
@ConditionalOnBooleanProperty(name = "mintmark.pages.check", matchIfMissing = true)
final class MintmarkPagesAutoConfiguration {
  MintmarkPagesAutoConfiguration() {}

  /** Has Hibernate. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({EntityManagerFactory.class, SessionFactoryImplementor.class})
  @ConditionalOnBean(EntityManagerFactory.class)
  static final class OverEntities {
    OverEntities() {}

    @Bean
    static PageEntityCheck mintmarkPageEntityCheck(
        ListableBeanFactory beans, ObjectProvider<EntityManagerFactory> factories) {
      return new PageEntityCheck(new PageBeans(beans), factories);
    }
  }

  /** Has a database. After the entities: what is wrong with them is the better message. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(DataSource.class)
  @ConditionalOnSingleCandidate(DataSource.class)
  static final class OverTables {
    OverTables() {}

    @Bean
    static PageTableCheck mintmarkPageTableCheck(
        ListableBeanFactory beans, ObjectProvider<DataSource> dataSource) {
      return new PageTableCheck(new PageBeans(beans), dataSource);
    }
  }
}
