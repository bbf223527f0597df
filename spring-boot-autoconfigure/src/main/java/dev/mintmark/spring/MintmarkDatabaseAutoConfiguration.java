package dev.mintmark.spring;

import dev.mintmark.postgres.pack.Pack;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;

/** The installation of the SQL pack and of the tables of pools, if properties ask for it. */
@AutoConfiguration(
    after = MintmarkAutoConfiguration.class,
    afterName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
@ConditionalOnClass({Pack.class, DatabaseInitializationDependencyConfigurer.class})
@ConditionalOnSingleCandidate(DataSource.class)
@Conditional(OnInstall.class)
@Import(DatabaseInitializationDependencyConfigurer.class)
final class MintmarkDatabaseAutoConfiguration {
  MintmarkDatabaseAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  @Lazy(false)
  static MintmarkSchema mintmarkSchema(DataSource dataSource, MintmarkProperties properties) {
    return new MintmarkSchema(dataSource, properties);
  }
}
