package dev.mintmark.app;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.info.Info;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
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
