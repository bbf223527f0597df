package dev.mintmark.app.http;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Type;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
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
  private final SingletonSupplier<HandlerMethodReturnValueHandler> entities;
  private final SingletonSupplier<HandlerExceptionResolver> failures;
  private final HandlerInterceptor interceptor;

  /**
   * @param adapter whose handler of {@link ResponseEntity} writes results
   * @param failures answers what an operation throws
   * @param interceptor whose {@code afterCompletion} is called when the answer was written
   */
  LaterAnswers(
      ObjectProvider<RequestMappingHandlerAdapter> adapter,
      ObjectProvider<HandlerExceptionResolver> failures,
      HandlerInterceptor interceptor) {
    this.entities = SingletonSupplier.of(() -> entities(adapter.getObject()));
    this.failures = SingletonSupplier.of(failures::getObject);
    this.interceptor = interceptor;
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
    // Not in the thread that has the result: a slow client would keep it from other results.
    var unused =
        result.whenComplete((some, failure) -> answer.context.start(() -> answer.complete(result)));
  }

  private static @Nullable Object valueOf(CompletableFuture<?> done) throws Exception {
    try {
      return done.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  /** The answer to a request that waits, from the thread on that has called the operation. */
  private final class Answer {
    private final NativeWebRequest web;
    private final MethodParameter entity;
    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final AsyncContext context;
    private final AtomicBoolean begun = new AtomicBoolean();

    Answer(NativeWebRequest web, MethodParameter entity) {
      this.web = web;
      this.entity = entity;
      this.request = Objects.requireNonNull(web.getNativeRequest(HttpServletRequest.class));
      this.response = Objects.requireNonNull(web.getNativeResponse(HttpServletResponse.class));
      this.context = request.getAsyncContext();
    }

    void complete(CompletableFuture<?> done) {
      answer(
          () -> {
            try {
              entities
                  .obtain()
                  .handleReturnValue(valueOf(done), entity, new ModelAndViewContainer(), web);
            } catch (Exception e) {
              resolve(e);
            }
          });
    }

    void fail(Exception e) {
      answer(() -> resolve(e));
    }

    /** Writes the answer, unless one is being written: a result may come with the timeout. */
    private void answer(Runnable writing) {
      if (!begun.compareAndSet(false, true)) {
        return;
      }
      LogContext.enter(request, Objects.requireNonNullElse(RequestId.of(response), ""));
      try {
        writing.run();
        interceptor.afterCompletion(request, response, operation(), null);
      } catch (Exception e) {
        throw new IllegalStateException(e);
      } finally {
        LogContext.leave();
        context.complete();
      }
    }

    private void resolve(Exception e) {
      request.removeAttribute(HandlerMapping.PRODUCIBLE_MEDIA_TYPES_ATTRIBUTE);
      failures.obtain().resolveException(request, response, operation(), e);
    }

    private HandlerMethod operation() {
      return (HandlerMethod)
          Objects.requireNonNull(
              request.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE));
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
