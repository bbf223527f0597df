package dev.mintmark.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The body of an answer, which arrives in the background. {@code HttpRequest.timeout} ends with the
 * headers, so whoever awaits the body limits its time, and this limits its size. One answer each.
 */
final class LimitedBody implements BodySubscriber<LimitedBody> {
  /** A body is larger than its limit. */
  static final class TooLargeException extends IOException {
    private static final long serialVersionUID = 1L;

    TooLargeException(int bytesMax) {
      super("the answer is larger than " + bytesMax + " bytes");
    }
  }

  private final int bytesMax;
  private final CompletableFuture<byte[]> whole = new CompletableFuture<>();
  private final ByteArrayOutputStream received = new ByteArrayOutputStream();
  private volatile Flow.@Nullable Subscription subscription;

  LimitedBody(int bytesMax) {
    this.bytesMax = bytesMax;
  }

  /**
   * Returns all bytes.
   *
   * @param nanos how long to wait
   * @throws TooLargeException if there are too many
   * @throws TimeoutException if they did not arrive in time; the connection is closed
   */
  byte[] await(long nanos) throws IOException, InterruptedException, TimeoutException {
    try {
      return whole.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof TooLargeException tooLarge) {
        throw tooLarge;
      }
      throw new IOException("the connection broke within the answer: " + cause, cause);
    } finally {
      // Without effect if the body is complete.
      cancel();
    }
  }

  /** Closes the connection, unless the body is complete. */
  private void cancel() {
    Flow.Subscription current = subscription;
    if (current != null && (!whole.isDone() || whole.isCompletedExceptionally())) {
      current.cancel();
    }
  }

  @Override
  public CompletionStage<LimitedBody> getBody() {
    return CompletableFuture.completedStage(this);
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    this.subscription = subscription;
    subscription.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    for (ByteBuffer buffer : buffers) {
      if (buffer.remaining() > bytesMax - received.size()) {
        whole.completeExceptionally(new TooLargeException(bytesMax));
        cancel();
        return;
      }
      byte[] bytes = new byte[buffer.remaining()];
      buffer.get(bytes);
      received.writeBytes(bytes);
    }
  }

  @Override
  public void onError(Throwable failure) {
    whole.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    whole.complete(received.toByteArray());
  }
}
