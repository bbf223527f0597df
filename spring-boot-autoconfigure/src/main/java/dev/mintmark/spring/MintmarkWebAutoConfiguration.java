package dev.mintmark.spring;

import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.DispatcherServlet;
import tools.jackson.core.JacksonException;

/** Answers to requests with malformed identifiers, in applications with Spring MVC. */
@AutoConfiguration(after = MintmarkAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(DispatcherServlet.class)
final class MintmarkWebAutoConfiguration {
  MintmarkWebAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnBooleanProperty(name = "mintmark.web.problems", matchIfMissing = true)
  static MalformedIdProblems mintmarkMalformedIdProblems(ObjectProvider<BodyPointer> pointers) {
    List<BodyPointer> known = pointers.orderedStream().toList();
    return new MalformedIdProblems(known);
  }

  /** Mentions Jackson, so it is a class of its own. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(JacksonException.class)
  static final class JacksonBodies {
    JacksonBodies() {}

    @Bean
    static JacksonPointer mintmarkJacksonPointer() {
      return new JacksonPointer();
    }
  }
}
