package dev.mintmark.app.http;

import dev.mintmark.app.access.Access;
import dev.mintmark.app.view.Json;
import java.util.List;
import java.util.Optional;
import org.apache.catalina.core.StandardHost;
import org.apache.tomcat.util.buf.EncodedSolidusHandling;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.servlet.autoconfigure.HttpEncodingAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.ProblemDetail;
import org.springframework.http.converter.json.ProblemDetailJacksonMixin;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.HandlerMethodReturnValueHandler;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.json.JsonMapper;

/**
 * The beans of the server, and the auto-configurations that it needs; to look for others takes
 * longer. Spring Boot's page of errors is not among them: {@link ProblemValve} reports errors.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@ImportAutoConfiguration({
  DispatcherServletAutoConfiguration.class,
  HttpEncodingAutoConfiguration.class,
  HttpMessageConvertersAutoConfiguration.class,
  LifecycleAutoConfiguration.class,
  SslAutoConfiguration.class,
  TomcatServletWebServerAutoConfiguration.class,
  WebMvcAutoConfiguration.class
})
@Import({
  IdsController.class,
  InspectionsController.class,
  ComparisonController.class,
  ClaimsController.class,
  PoolsController.class,
  PoolReleaseController.class,
  ManyClaimsController.class,
  PoolSurveyController.class,
  PoolTransferController.class,
  PoolWatchController.class,
  PurisController.class,
  RowsController.class,
  RowAccess.class,
  DoctorController.class,
  MigrationPlanController.class,
  MigrationsController.class,
  HealthController.class,
  MetricsController.class,
  KeysController.class,
  AuditController.class,
  SessionController.class,
  Problems.class,
  RequestThreads.class,
  BodyFilter.class,
  ClassLoaderFilter.class,
  LoopbackFilter.class,
  AccessFilter.class,
  LimitFilter.class,
  WarmUpFilter.class,
  RejectionFilter.class,
  WholeAnswerFilter.class
})
class ServerConfiguration {
  @Bean
  JsonMapper jsonMapper() {
    return Json.MAPPER
        .rebuild()
        .addMixIn(ProblemDetail.class, ProblemDetailJacksonMixin.class)
        .build();
  }

  @Bean
  ProblemWriter problemWriter(JsonMapper json) {
    return new ProblemWriter(json);
  }

  /**
   * A value in a path may contain slashes and backslashes, because a value of a list can be any
   * text.
   */
  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> slashesInSegments() {
    String kept = EncodedSolidusHandling.PASS_THROUGH.getValue();
    return server ->
        server.addConnectorCustomizers(
            connector -> {
              connector.setEncodedSolidusHandling(kept);
              connector.setEncodedReverseSolidusHandling(kept);
            });
  }

  /** Without it, Tomcat can leave an answer unfinished. */
  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> protocol() {
    return server -> server.setProtocol(Http11Protocol.class.getName());
  }

  /** Requests that Tomcat rejects are answered with a problem too. */
  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> problemsOfTheServer(
      JsonMapper json,
      Listening listening,
      Optional<Tracing> tracing,
      WarmUp warmUp,
      @Qualifier("requestMappingHandlerMapping")
          ObjectProvider<RequestMappingHandlerMapping> operations) {
    PathTemplates templates = new PathTemplates(operations);
    return server ->
        server.addContextCustomizers(
            context -> {
              StandardHost host = (StandardHost) context.getParent();
              host.setErrorReportValveClass("");
              tracing.ifPresent(
                  traces -> host.getPipeline().addValve(new TraceValve(traces, templates)));
              host.getPipeline().addValve(new ProblemValve(json));
              host.getPipeline().addValve(new RequestLogValve(listening, templates, warmUp));
            });
  }

  @Bean
  WebMvcConfigurer operations(
      Optional<Access> access,
      Listening listening,
      RequestThreads threads,
      ObjectProvider<RequestMappingHandlerAdapter> adapter,
      @Qualifier("handlerExceptionResolver") ObjectProvider<HandlerExceptionResolver> failures) {
    AccessInterceptor checked = new AccessInterceptor(access, listening);
    return new WebMvcConfigurer() {
      @Override
      public void addReturnValueHandlers(List<HandlerMethodReturnValueHandler> handlers) {
        handlers.add(new LaterAnswers(adapter, failures, checked, threads));
      }

      @Override
      public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
        resolvers.add(new CallerArgument());
      }

      @Override
      public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(checked);
        registry.addInterceptor(new ParameterCheck());
        registry.addInterceptor(new FilePathCheck());
      }
    };
  }
}
