package dev.mintmark.app.http;

import dev.mintmark.app.view.Json;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import org.apache.catalina.core.StandardHost;
import org.apache.tomcat.util.buf.EncodedSolidusHandling;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.ProblemDetail;
import org.springframework.http.converter.json.ProblemDetailJacksonMixin;
import tools.jackson.databind.json.JsonMapper;

/** What the server is put together from. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({
  IdsController.class,
  ClaimsController.class,
  PoolsController.class,
  PurisController.class,
  Problems.class,
  LoopbackFilter.class
})
class ServerConfiguration {
  @Bean
  JsonMapper jsonMapper() {
    return Json.MAPPER
        .rebuild()
        .addMixIn(ProblemDetail.class, ProblemDetailJacksonMixin.class)
        .build();
  }

  /** A value that stands in a path may have slashes of both kinds: of a list it can be any text. */
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

  /** What the server refuses before it gets as far as our code is a problem too. */
  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> problemsOfTheServer(JsonMapper json) {
    return server ->
        server.addContextCustomizers(
            context -> {
              StandardHost host = (StandardHost) context.getParent();
              host.setErrorReportValveClass("");
              host.getPipeline().addValve(new ProblemValve(json));
            });
  }

  /** Whatever can go wrong is told in the same way everywhere. */
  @Bean
  OpenApiCustomizer problems() {
    ApiResponse problem =
        new ApiResponse()
            .description("a problem (RFC 9457)")
            .content(
                new Content()
                    .addMediaType(
                        org.springframework.http.MediaType.APPLICATION_PROBLEM_JSON_VALUE,
                        new MediaType().schema(new Schema<>().$ref("ProblemDetail"))));
    return api ->
        api.getPaths().values().stream()
            .flatMap(path -> path.readOperations().stream())
            .forEach(
                operation ->
                    operation.getResponses().addApiResponse(ApiResponses.DEFAULT, problem));
  }

  @Bean
  OpenAPI openApi() {
    return new OpenAPI()
        .info(
            new Info()
                .title("Mintmark")
                .version("v1")
                .description("Identifiers: read, minted, handed out from pools."));
  }
}
