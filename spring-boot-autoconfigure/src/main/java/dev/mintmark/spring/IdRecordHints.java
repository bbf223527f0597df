package dev.mintmark.spring;

import dev.mintmark.InCollection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.generate.GenerationContext;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotContribution;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotProcessor;
import org.springframework.beans.factory.aot.BeanFactoryInitializationCode;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;

/**
 * Registers what only the application has for a native image: its records with {@link InCollection}
 * in the packages that Spring Boot scans, whose constructors and accessors are called by
 * reflection, and the catalog if {@code mintmark.catalog} is a resource of the class path.
 */
final class IdRecordHints implements BeanFactoryInitializationAotProcessor {
  @Override
  public BeanFactoryInitializationAotContribution processAheadOfTime(
      ConfigurableListableBeanFactory beanFactory) {
    List<String> packages =
        AutoConfigurationPackages.has(beanFactory)
            ? AutoConfigurationPackages.get(beanFactory)
            : List.of();
    Set<Class<?>> records = annotated(packages, beanFactory.getBeanClassLoader());
    String catalog = beanFactory.getBean(Environment.class).getProperty("mintmark.catalog", "");
    return new Contribution(records, catalog);
  }

  private static Set<Class<?>> annotated(List<String> packages, @Nullable ClassLoader loader) {
    ClassPathScanningCandidateComponentProvider scanner =
        new ClassPathScanningCandidateComponentProvider(false);
    scanner.addIncludeFilter(new AnnotationTypeFilter(InCollection.class));
    Set<Class<?>> records = new LinkedHashSet<>();
    for (String each : packages) {
      for (BeanDefinition found : scanner.findCandidateComponents(each)) {
        records.add(ClassUtils.resolveClassName(String.valueOf(found.getBeanClassName()), loader));
      }
    }
    return records;
  }

  private record Contribution(Set<Class<?>> records, String catalog)
      implements BeanFactoryInitializationAotContribution {
    @Override
    public void applyTo(GenerationContext generation, BeanFactoryInitializationCode code) {
      BindingReflectionHintsRegistrar binding = new BindingReflectionHintsRegistrar();
      records.forEach(
          each -> binding.registerReflectionHints(generation.getRuntimeHints().reflection(), each));
      if (catalog.startsWith(ResourceLoader.CLASSPATH_URL_PREFIX)) {
        String path = catalog.substring(ResourceLoader.CLASSPATH_URL_PREFIX.length());
        generation
            .getRuntimeHints()
            .resources()
            .registerPattern(path.startsWith("/") ? path.substring(1) : path);
      }
    }
  }
}
