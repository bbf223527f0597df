package dev.mintmark.spring;

import dev.mintmark.postgres.page.KeysetPages;
import java.util.List;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.ExceptionHandlerExceptionResolver;

/** Requests for pages as arguments of controllers. */
@AutoConfiguration(after = MintmarkAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({DispatcherServlet.class, KeysetPages.class})
final class MintmarkPagesWebAutoConfiguration {
  MintmarkPagesWebAutoConfiguration() {}

  @Bean
  static WebMvcConfigurer mintmarkPageRequests(MintmarkProperties properties) {
    return new PageRequests(properties);
  }

  private static final class PageRequests implements WebMvcConfigurer {
    private final MintmarkProperties properties;

    PageRequests(MintmarkProperties properties) {
      this.properties = properties;
    }

    @Override
    public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
      resolvers.add(new PageRequestArgument(properties.pages()));
    }

    /** After the exception handlers of the application, and before Spring's own answers. */
    @Override
    public void extendHandlerExceptionResolvers(List<HandlerExceptionResolver> resolvers) {
      if (properties.web().problems()) {
        int own = 0;
        for (int i = 0; i < resolvers.size(); i++) {
          if (resolvers.get(i) instanceof ExceptionHandlerExceptionResolver) {
            own = i + 1;
          }
        }
        resolvers.add(own, new PageProblems());
      }
    }
  }
}
