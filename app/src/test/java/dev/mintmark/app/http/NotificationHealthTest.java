package dev.mintmark.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class NotificationHealthTest {
  private final AtomicBoolean heard = new AtomicBoolean();
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);
  private final NotificationHealth health = new NotificationHealth(heard::get, nanos::get);

  @Test
  void silenceIsTidingsOnceItHasLasted() {
    assertThat(health.change()).isEmpty();
    pass(4);
    assertThat(health.change()).isEmpty();
    pass(1);
    assertThat(health.change()).contains(false);
    pass(60);
    assertThat(health.change()).isEmpty();
  }

  @Test
  void whatIsHeardIsTidingsOnlyAfterSilence() {
    heard.set(true);
    assertThat(health.change()).isEmpty();
    heard.set(false);
    pass(4);
    assertThat(health.change()).isEmpty();
    pass(1);
    assertThat(health.change()).contains(false);

    heard.set(true);
    assertThat(health.change()).contains(true);
    assertThat(health.change()).isEmpty();
  }

  @Test
  void theSilenceOfADatabaseThatIsDownMeansNothing() {
    pass(4);
    health.startOver();
    pass(4);
    assertThat(health.change()).isEmpty();
    pass(1);
    assertThat(health.change()).contains(false);
  }

  @Test
  void theSilenceOfADatabaseThatHungMeansNothing() {
    pass(4);
    assertThat(health.change()).isEmpty();
    pass(8);
    assertThat(health.change()).isEmpty();
    pass(4);
    assertThat(health.change()).isEmpty();
    pass(1);
    assertThat(health.change()).contains(false);
  }

  private void pass(int seconds) {
    nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
  }
}
