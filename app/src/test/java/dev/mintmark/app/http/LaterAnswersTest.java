package dev.mintmark.app.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.mintmark.app.view.Json;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.ThreadPerTask;
import dev.mintmark.postgres.pool.PoolUnavailableException;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.apache.coyote.AbstractProtocol;
import org.apache.coyote.Processor;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.method.support.HandlerMethodReturnValueHandler;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import tools.jackson.databind.json.JsonMapper;

/** Operations whose results the test gives, when it likes. */
@Tag("slow")
class LaterAnswersTest {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private static final BlockingQueue<Integer> ENDED = new LinkedBlockingQueue<>();
  private static final AtomicInteger PASSES = new AtomicInteger();

  private static ConfigurableApplicationContext context;
  private static volatile CompletableFuture<ResponseEntity<?>> result = new CompletableFuture<>();
  private static volatile @Nullable Stay staying;

  @RestController
  static class Operation {
    @PostMapping("/operation")
    CompletableFuture<ResponseEntity<?>> operation() {
      return result;
    }
  }

  /** Counts how often a request passes, in whichever dispatch. */
  static final class Passes extends EveryDispatchFilter {
    @Override
    void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
        throws ServletException, IOException {
      PASSES.incrementAndGet();
      chain.doFilter(request, response);
      Stay stay = staying;
      if (stay != null) {
        stay.connection.complete((ReentrantLock) Http11Protocol.connectionLock());
        stay.isOver.orTimeout(Patience.MAX.toSeconds(), TimeUnit.SECONDS).join();
      }
    }
  }

  /** The thread that received a request does not leave it: the lock it holds, and until when. */
  record Stay(CompletableFuture<ReentrantLock> connection, CompletableFuture<Void> isOver) {}

  @SpringBootConfiguration(proxyBeanMethods = false)
  @ImportAutoConfiguration({
    DispatcherServletAutoConfiguration.class,
    HttpMessageConvertersAutoConfiguration.class,
    TomcatServletWebServerAutoConfiguration.class,
    WebMvcAutoConfiguration.class
  })
  @Import({Operation.class, Passes.class, Problems.class, RequestThreads.class})
  static class Beans {
    @Bean
    JsonMapper jsonMapper() {
      return new ServerConfiguration().jsonMapper();
    }

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> protocol() {
      return new ServerConfiguration().protocol();
    }

    @Bean
    WebMvcConfigurer later(
        RequestThreads threads,
        ObjectProvider<RequestMappingHandlerAdapter> adapter,
        @Qualifier("handlerExceptionResolver") ObjectProvider<HandlerExceptionResolver> failures) {
      HandlerInterceptor ended =
          new HandlerInterceptor() {
            @Override
            public void afterCompletion(
                HttpServletRequest request,
                HttpServletResponse response,
                Object handler,
                @Nullable Exception failure) {
              ENDED.add(response.getStatus());
            }
          };
      return new WebMvcConfigurer() {
        @Override
        public void addReturnValueHandlers(List<HandlerMethodReturnValueHandler> handlers) {
          handlers.add(new LaterAnswers(adapter, failures, ended, threads));
        }

        @Override
        public void extendHandlerExceptionResolvers(List<HandlerExceptionResolver> resolvers) {
          resolvers.add(
              0,
              (request, response, handler, failure) -> {
                if (failure instanceof Unanswerable) {
                  throw new IllegalStateException("no answer");
                }
                return null;
              });
        }

        @Override
        public void addInterceptors(InterceptorRegistry registry) {
          registry.addInterceptor(ended);
        }
      };
    }
  }

  @BeforeAll
  static void start() {
    // Otherwise Spring Boot would change the log for the tests that follow.
    StartingServer.takeLogs();
    context = start("1h");
  }

  private static ConfigurableApplicationContext start(String timeout) {
    return new SpringApplicationBuilder(Beans.class)
        .properties(
            "server.port=0",
            "server.address=127.0.0.1",
            "spring.main.banner-mode=off",
            "spring.main.log-startup-info=false",
            "spring.mvc.async.request-timeout=" + timeout)
        .run();
  }

  @AfterAll
  static void stop() {
    context.close();
  }

  @BeforeEach
  void begin() {
    result = new CompletableFuture<>();
    staying = null;
    ENDED.clear();
    PASSES.set(0);
  }

  @Test
  void aResultThatIsThereIsTheAnswer() throws Exception {
    result.complete(ResponseEntity.status(201).eTag("7").body(Map.of("value", "a")));

    HttpResponse<String> answer = send().get();

    assertThat(answer.statusCode()).isEqualTo(201);
    assertThat(answer.headers().firstValue("ETag")).contains("\"7\"");
    assertThat(answer.body()).isEqualTo("{\"value\":\"a\"}");
    assertEnded(201);
  }

  @Test
  void aLaterResultIsTheSameAnswerInOnePass() throws Exception {
    CompletableFuture<HttpResponse<String>> answer = send();
    awaitWaiting();
    result.complete(ResponseEntity.status(201).eTag("7").body(Map.of("value", "a")));

    assertThat(answer.get().statusCode()).isEqualTo(201);
    assertThat(answer.get().headers().firstValue("ETag")).contains("\"7\"");
    assertThat(answer.get().body()).isEqualTo("{\"value\":\"a\"}");
    assertEnded(201);
  }

  @Test
  void aFailureIsTheSameProblemNowAndLater() throws Exception {
    PoolUnavailableException failure = new PoolUnavailableException("away", new SQLException());
    result.completeExceptionally(failure);
    HttpResponse<String> now = send().get();
    assertEnded(503);

    begin();
    CompletableFuture<HttpResponse<String>> later = send();
    awaitWaiting();
    result.completeExceptionally(new CompletionException(failure));

    assertThat(now.statusCode()).isEqualTo(503);
    assertThat(code(now)).isEqualTo("pool-unavailable");
    assertThat(later.get().statusCode()).isEqualTo(503);
    assertThat(later.get().body()).isEqualTo(now.body());
    for (String header : List.of("Retry-After", "Content-Type")) {
      assertThat(later.get().headers().firstValue(header))
          .isPresent()
          .isEqualTo(now.headers().firstValue(header));
    }
    assertEnded(503);
  }

  @Test
  void whatTakesTooLongIsAnsweredOnce() throws Exception {
    try (ConfigurableApplicationContext hasty = start("200ms")) {
      HttpResponse<String> answer = send(hasty).get();

      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(code(answer)).isEqualTo("timeout");
      assertThat(answer.headers().firstValue("Retry-After")).contains("1");
      assertEnded(503);
    }
  }

  /** More than Tomcat keeps until it writes: the write fails if the client has left. */
  private static String longText() {
    return "x".repeat(1 << 20);
  }

  /** Otherwise Tomcat may never tell the end, if the answer cannot be written. */
  @Test
  void anAnswerWaitsForTheThreadThatReceivedTheRequest() throws Exception {
    Held held = new Held(CompletableFuture.completedFuture(longText()), new CountDownLatch(1));
    Stay stay = new Stay(new CompletableFuture<>(), new CompletableFuture<>());
    staying = stay;
    leave(() -> stay.connection.orTimeout(Patience.MAX.toSeconds(), TimeUnit.SECONDS).join());
    ReentrantLock connection = stay.connection.join();
    result.complete(ResponseEntity.ok(held));
    Patience.await("an answer", () -> connection.hasQueuedThreads() || held.isRead.getCount() == 0);

    assertThat(held.isRead.getCount()).isEqualTo(1);
    assertThat(ENDED).isEmpty();
    stay.isOver.complete(null);
    assertThat(ENDED.poll(Patience.MAX.toSeconds(), TimeUnit.SECONDS)).isNotNull();
    assertThat(held.isRead.getCount()).isZero();
  }

  @Test
  void nothingIsSaidOfAClientThatLeaves() throws Exception {
    try (LogEvents log = LogEvents.of(Logger.ROOT_LOGGER_NAME)) {
      log.setLevel(Level.WARN);
      leave(LaterAnswersTest::awaitWaiting);
      result.complete(ResponseEntity.ok(Map.of("text", longText())));

      assertGoesOn(log);
    }
  }

  /** Its value is read when the body is written, and waits. */
  record Held(CompletableFuture<String> text, CountDownLatch isRead) {
    @SuppressWarnings("unused") // by Jackson
    public String getValue() {
      isRead.countDown();
      return text.join();
    }
  }

  @Test
  void nothingIsSaidOfAClientThatLeavesBeforeAnAnswerThatIsThere() throws Exception {
    Held held = new Held(new CompletableFuture<>(), new CountDownLatch(1));
    result.complete(ResponseEntity.ok(held));
    try (LogEvents log = LogEvents.of(Logger.ROOT_LOGGER_NAME)) {
      log.setLevel(Level.WARN);
      leave(() -> Patience.await("an answer", () -> held.isRead.getCount() == 0));
      held.text.complete(longText());

      assertGoesOn(log);
    }
  }

  /** Sends a request, waits, and leaves. */
  private static void leave(Runnable waiting) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port(context))) {
      socket.setSoLinger(true, 0);
      socket
          .getOutputStream()
          .write(
              "POST /operation HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"
                  .getBytes(US_ASCII));
      waiting.run();
    }
  }

  /** The end of a request is told, and the next one is answered. */
  private static void assertGoesOn(LogEvents log) throws Exception {
    assertThat(ENDED.poll(Patience.MAX.toSeconds(), TimeUnit.SECONDS)).isNotNull();
    result = CompletableFuture.completedFuture(ResponseEntity.ok(Map.of()));
    assertThat(send().get().statusCode()).isEqualTo(200);
    assertThat(ENDED.poll(Patience.MAX.toSeconds(), TimeUnit.SECONDS)).isEqualTo(200);
    assertThat(ENDED).isEmpty();
    assertThat(log.rest()).isEmpty();
  }

  /** A failure with which the handler of failures fails. */
  static final class Unanswerable extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  @Test
  void aFailureThatCannotBeReportedEndsTheRequest() throws Exception {
    try (LogEvents log = LogEvents.of(LaterAnswers.class.getName())) {
      CompletableFuture<HttpResponse<String>> answer = send();
      awaitWaiting();
      result.completeExceptionally(new Unanswerable());

      assertThat(answer.get().statusCode()).isEqualTo(500);
      assertEnded(500);
      assertThat(log.next().getMessage()).isEqualTo("a request was not answered");
    }
  }

  /** Its value is read when the body is written, and takes longer than the request may. */
  static final class Slow {
    public String getValue() throws InterruptedException {
      Thread.sleep(3_500); // Tomcat looks once a second
      return "slow";
    }
  }

  @Test
  void anAnswerThatIsBeingWrittenIsNotCutByTheTimeout() throws Exception {
    try (ConfigurableApplicationContext hasty = start("1s")) {
      CompletableFuture<HttpResponse<String>> answer = send(hasty);
      awaitWaiting();
      result.complete(ResponseEntity.ok(new Slow()));

      // On a machine that stalls, the time may be over before.
      if (answer.get().statusCode() == 200) {
        assertThat(answer.get().body()).isEqualTo("{\"value\":\"slow\"}");
      } else {
        assertThat(code(answer.get())).isEqualTo("timeout");
      }
      assertEnded(answer.get().statusCode());
    }
  }

  /** Tomcat may send the timeout of a request that has ended to the next one. */
  @Test
  void aTimeoutThatIsNotDueChangesNothing() throws Exception {
    CompletableFuture<HttpResponse<String>> answer = send();
    awaitWaiting();

    assertThat(connections())
        .isNotEmpty()
        .allSatisfy(connection -> connection.processSocket(SocketEvent.TIMEOUT, false));

    result.complete(ResponseEntity.ok(Map.of("value", "a")));
    assertThat(answer.get().body()).isEqualTo("{\"value\":\"a\"}");
    assertEnded(200);
  }

  /** Who holds the lock may end the request, and begin the next one. */
  @Test
  void aConnectionThatIsInUseIsNotTimedOut() throws Exception {
    CompletableFuture<HttpResponse<String>> answer = send();
    awaitWaiting();
    Set<? extends SocketWrapperBase<?>> connections = connections();
    Predicate<SocketWrapperBase<?>> waits = each -> each.getCurrentProcessor() != null;
    Patience.await("a connection that waits", () -> connections.stream().anyMatch(waits));
    SocketWrapperBase<?> connection = connections.stream().filter(waits).findFirst().orElseThrow();
    Processor waiting = (Processor) connection.getCurrentProcessor();
    long inAnHour = System.currentTimeMillis() + 3_600_000;

    connection.getLock().lock();
    try {
      CompletableFuture.runAsync(() -> waiting.timeoutAsync(inAnHour), ThreadPerTask.EXECUTOR)
          .join();
    } finally {
      connection.getLock().unlock();
    }

    result.complete(ResponseEntity.ok(Map.of("value", "a")));
    assertThat(answer.get().body()).isEqualTo("{\"value\":\"a\"}");
    assertEnded(200);
  }

  private static Set<? extends SocketWrapperBase<?>> connections() throws Exception {
    TomcatWebServer server =
        Objects.requireNonNull(
            (TomcatWebServer) ((WebServerApplicationContext) context).getWebServer());
    Method endpoint = AbstractProtocol.class.getDeclaredMethod("getEndpoint");
    endpoint.setAccessible(true);
    return ((NioEndpoint) endpoint.invoke(server.getTomcat().getConnector().getProtocolHandler()))
        .getConnections();
  }

  private static CompletableFuture<HttpResponse<String>> send() {
    return send(context);
  }

  private static CompletableFuture<HttpResponse<String>> send(
      ConfigurableApplicationContext server) {
    int port = port(server);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/operation"))
            .timeout(Patience.MAX)
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    return CLIENT.sendAsync(request, BodyHandlers.ofString());
  }

  private static int port(ConfigurableApplicationContext server) {
    return Objects.requireNonNull(((WebServerApplicationContext) server).getWebServer()).getPort();
  }

  /** Waits until the request waits: the operation has returned, and its result is awaited. */
  private static void awaitWaiting() {
    Patience.await("a request that waits", () -> result.getNumberOfDependents() > 0);
  }

  /** The request has passed once, and its end was told once, with its status. */
  private static void assertEnded(int status) throws InterruptedException {
    assertThat(ENDED.poll(Patience.MAX.toSeconds(), TimeUnit.SECONDS)).isEqualTo(status);
    assertThat(ENDED).isEmpty();
    assertThat(PASSES).hasValue(1);
  }

  private static String code(HttpResponse<String> answer) {
    return Json.MAPPER.readTree(answer.body()).get("code").asString();
  }
}
