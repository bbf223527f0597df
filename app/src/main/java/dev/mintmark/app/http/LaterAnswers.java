package dev.mintmark.app.http;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Type;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.context.request.async.AsyncRequestTimeoutException;
import org.springframework.web.context.request.async.AsyncWebRequest;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.method.support.AsyncHandlerMethodReturnValueHandler;
import org.springframework.web.method.support.HandlerMethodReturnValueHandler;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityReturnValueHandler;

/**
 * Answers operations whose result comes later, as soon as it is there. Spring itself would dispatch
 * such a request once more with its result, through all valves, filters and interceptors, which
 * takes as long as the first pass.
 */
final class LaterAnswers implements AsyncHandlerMethodReturnValueHandler {
  private static final Logger LOG = LoggerFactory.getLogger(LaterAnswers.class);

  private final SingletonSupplier<HandlerMethodReturnValueHandler> entities;
  private final SingletonSupplier<HandlerExceptionResolver> failures;
  private final HandlerInterceptor interceptor;
  private final Executor threads;

  /**
   * @param adapter whose handler of {@link ResponseEntity} writes results
   * @param failures answers what an operation throws
   * @param interceptor whose {@code afterCompletion} is called when the request has ended
   * @param threads in which answers are written
   */
  LaterAnswers(
      ObjectProvider<RequestMappingHandlerAdapter> adapter,
      ObjectProvider<HandlerExceptionResolver> failures,
      HandlerInterceptor interceptor,
      Executor threads) {
    this.entities = SingletonSupplier.of(() -> entities(adapter.getObject()));
    this.failures = SingletonSupplier.of(failures::getObject);
    this.interceptor = interceptor;
    this.threads = threads;
  }

  private static HandlerMethodReturnValueHandler entities(RequestMappingHandlerAdapter adapter) {
    return Objects.requireNonNull(adapter.getReturnValueHandlers()).stream()
        .filter(ResponseEntityReturnValueHandler.class::isInstance)
        .findFirst()
        .orElseThrow();
  }

  @Override
  public boolean supportsReturnType(MethodParameter returned) {
    return CompletableFuture.class.isAssignableFrom(returned.getParameterType());
  }

  @Override
  public boolean isAsyncReturnValue(@Nullable Object value, MethodParameter returned) {
    return value instanceof CompletableFuture;
  }

  @Override
  public void handleReturnValue(
      @Nullable Object value,
      MethodParameter returned,
      ModelAndViewContainer container,
      NativeWebRequest request)
      throws Exception {
    container.setRequestHandled(true);
    CompletableFuture<?> result = (CompletableFuture<?>) Objects.requireNonNull(value);
    MethodParameter entity = new EntityParameter(returned);
    if (result.isDone()) {
      entities.obtain().handleReturnValue(valueOf(result), entity, container, request);
      return;
    }
    AsyncWebRequest waiting = (AsyncWebRequest) request;
    waiting.startAsync();
    Answer answer = new Answer(request, entity);
    waiting.addTimeoutHandler(() -> answer.fail(new AsyncRequestTimeoutException()));
    waiting.addCompletionHandler(answer::ended);
    // Not in the thread that has the result: a slow client would keep it from other results.
    var unused =
        result.whenComplete((some, failure) -> threads.execute(() -> answer.complete(result)));
  }

  private static @Nullable Object valueOf(CompletableFuture<?> done) throws Exception {
    try {
      return done.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  /** Answers one waiting request. Created in the thread that called the operation. */
  private final class Answer {
    private final NativeWebRequest web;
    private final MethodParameter entity;
    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final HandlerMethod operation;
    private final AsyncContext context;
    private final Lock connection;
    private boolean begun;

    Answer(NativeWebRequest web, MethodParameter entity) {
      this.web = web;
      this.entity = entity;
      this.request = Objects.requireNonNull(web.getNativeRequest(HttpServletRequest.class));
      this.response = Objects.requireNonNull(web.getNativeResponse(HttpServletResponse.class));
      this.operation =
          (HandlerMethod)
              Objects.requireNonNull(
                  request.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE));
      this.context = request.getAsyncContext();
      this.connection = Http11Protocol.connectionLock();
    }

    void complete(CompletableFuture<?> done) {
      answer(() -> write(done));
    }

    void fail(Exception e) {
      answer(() -> resolve(e));
    }

    /** Tomcat tells this once, in its own thread, however the request ended. */
    void ended() {
      try {
        interceptor.afterCompletion(request, response, operation, null);
      } catch (Exception e) {
        LOG.error("what follows a request failed", e);
      }
    }

    /**
     * Answers the request, unless that was done. Until then Tomcat does nothing with it: a timeout
     * or an error would end it meanwhile.
     */
    private void answer(Runnable writing) {
      connection.lock();
      try {
        if (!begun) {
          begun = true;
          begin(writing);
        }
      } finally {
        connection.unlock();
      }
    }

    private void begin(Runnable writing) {
      try {
        LogContext.enter(request, Objects.requireNonNullElse(RequestId.of(response), ""));
        writing.run();
      } catch (RuntimeException | Error e) {
        failed(e);
        if (e instanceof VirtualMachineError fatal) {
          throw fatal;
        }
      } finally {
        end();
        LogContext.leave();
      }
    }

    /** Answers what could not even be answered as a failure. */
    private void failed(Throwable e) {
      try {
        if (!response.isCommitted()) {
          response.setHeader(HttpHeaders.CONTENT_TYPE, null);
          response.resetBuffer();
          response.setStatus(HttpStatus.INTERNAL_SERVER_ERROR.value());
        }
        LOG.error("a request was not answered", e);
      } catch (IllegalStateException ended) {
        LOG.debug("Tomcat has ended the request, because its client is gone", e);
      }
    }

    private void end() {
      try {
        context.complete();
      } catch (IllegalStateException e) {
        LOG.debug("Tomcat has ended the request, because its client is gone", e);
      }
    }

    private void write(CompletableFuture<?> done) {
      try {
        entities
            .obtain()
            .handleReturnValue(valueOf(done), entity, new ModelAndViewContainer(), web);
      } catch (VirtualMachineError e) {
        throw e;
      } catch (Exception e) {
        resolve(e);
      } catch (Throwable e) {
        resolve(new ServletException(e));
      }
    }

    /** Answers a failure as Spring's dispatcher does. */
    private void resolve(Exception e) {
      request.removeAttribute(HandlerMapping.PRODUCIBLE_MEDIA_TYPES_ATTRIBUTE);
      if (!response.isCommitted()) {
        response.setHeader(HttpHeaders.CONTENT_TYPE, null);
        response.resetBuffer();
      }
      boolean isAnswered =
          failures.obtain().resolveException(request, response, operation, e) != null;
      if (!isAnswered && !response.isCommitted()) {
        response.setStatus(HttpStatus.INTERNAL_SERVER_ERROR.value());
      }
    }
  }

  /** What an operation would return if it did not have to wait. */
  private static final class EntityParameter extends MethodParameter {
    private static final Type TYPE =
        ResolvableType.forClassWithGenerics(ResponseEntity.class, Object.class).getType();

    EntityParameter(MethodParameter returned) {
      super(returned);
    }

    @Override
    public Class<?> getParameterType() {
      return ResponseEntity.class;
    }

    @Override
    public Type getGenericParameterType() {
      return TYPE;
    }

    @Override
    public EntityParameter clone() {
      return new EntityParameter(this);
    }
  }
}
