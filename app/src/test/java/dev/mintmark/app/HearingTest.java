package dev.mintmark.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HearingTest {
  private final AtomicBoolean heard = new AtomicBoolean();
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);
  private final Hearing hearing = new Hearing(heard::get, nanos::get);

  @Test
  void silenceIsTidingsOnceItHasLasted() {
    assertThat(hearing.news()).isEmpty();
    pass(4);
    assertThat(hearing.news()).isEmpty();
    pass(1);
    assertThat(hearing.news()).contains(false);
    pass(60);
    assertThat(hearing.news()).isEmpty();
  }

  @Test
  void whatIsHeardIsTidingsOnlyAfterSilence() {
    heard.set(true);
    assertThat(hearing.news()).isEmpty();
    heard.set(false);
    pass(5);
    assertThat(hearing.news()).contains(false);

    heard.set(true);
    assertThat(hearing.news()).contains(true);
    assertThat(hearing.news()).isEmpty();
  }

  private void pass(int seconds) {
    nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
  }
}
