package dev.mintmark.spring;

import dev.mintmark.Catalog;
import dev.mintmark.Keyring;
import dev.mintmark.catalog.CatalogReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.Resource;
import org.springframework.core.io.ResourceLoader;

/** The catalog and the keyring. */
@AutoConfiguration(before = MintmarkAutoConfiguration.class)
final class MintmarkCatalogAutoConfiguration {
  MintmarkCatalogAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  @Conditional(OnSecret.class)
  static Keyring mintmarkKeyring(MintmarkProperties properties, ResourceLoader loader) {
    String secret = properties.secret();
    String file = properties.secretFile();
    if (secret != null && file != null) {
      throw new StartFailure(
          "mintmark.secret and mintmark.secret-file are both set.", "Remove one of them.");
    }
    try {
      return Keyring.parse(secret != null ? secret : content(String.valueOf(file), loader));
    } catch (IllegalArgumentException e) {
      throw new StartFailure(
          "The keyring is rejected: " + e.getMessage(),
          "Set mintmark.secret to NAME:SECRET, such as a: and the output of"
              + " 'openssl rand -base64 32'.",
          e);
    }
  }

  private static String content(String location, ResourceLoader loader) {
    // A path without a scheme is a file, as for every file of secrets.
    Resource resource = loader.getResource(location.contains(":") ? location : "file:" + location);
    try {
      return resource.getContentAsString(StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new StartFailure(
          "mintmark.secret-file is %s, which cannot be read.".formatted(location),
          "Set mintmark.secret-file to a file that the application may read.",
          e);
    }
  }

  /** Reading needs the module of the catalog; the model of a catalog does not. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(CatalogReader.class)
  @ConditionalOnMissingBean(Catalog.class)
  @Conditional(OnCatalog.class)
  static final class CatalogFile {
    CatalogFile() {}

    @Bean
    static Catalog mintmarkCatalog(MintmarkProperties properties, ResourceLoader loader) {
      return CatalogSource.of(properties.catalog(), loader).read();
    }
  }
}
