package dev.mintmark.app.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.read.ListAppender;
import dev.mintmark.app.view.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.MDC;
import org.slf4j.event.KeyValuePair;
import tools.jackson.databind.JsonNode;

class LogLinesTest {
  private static final String KEY = "mmk_3f9k2m7qxz_7hq0c5nrt2w8e4yvd1sjx6pbg3kaz9mf2c8v1hd";

  private final LoggerContext context = new LoggerContext();
  private final Logger logger = context.getLogger("dev.mintmark.app.http.Problems");

  LogLinesTest() {
    context.setMDCAdapter(MDC.getMDCAdapter());
  }

  private LoggingEvent event(String message, @Nullable Throwable thrown, Object... arguments) {
    LoggingEvent event = new LoggingEvent("", logger, Level.WARN, message, thrown, arguments);
    event.setInstant(Instant.parse("2026-11-22T12:00:00.1234567Z"));
    event.setMDCPropertyMap(Map.of("request_id", "r-1", "caller", "10.0.0.1", "other", "hidden"));
    return event;
  }

  private static String encode(Encoder<ILoggingEvent> lines, ILoggingEvent event) {
    return new String(lines.encode(event), StandardCharsets.UTF_8);
  }

  private static JsonNode json(ILoggingEvent event) {
    String line = encode(new JsonLines(), event);
    assertThat(line.chars().filter(c -> c == '\n').count()).isEqualTo(1);
    assertThat(line).endsWith("}\n");
    return Json.MAPPER.readTree(line);
  }

  @Test
  void aLineOfJsonHasTheTimeTheRequestAndTheException() {
    LoggingEvent event =
        event("failed: {}", new IllegalStateException("a", new Error("b\nc")), "x");
    event.addKeyValuePair(new KeyValuePair("code", "internal-error"));
    event.addKeyValuePair(new KeyValuePair("left_out", 12L));
    event.addKeyValuePair(new KeyValuePair("nothing", null));

    JsonNode line = json(event);

    assertThat(line.path("timestamp").asString()).isEqualTo("2026-11-22T12:00:00.123456Z");
    assertThat(line.path("level").asString()).isEqualTo("WARN");
    assertThat(line.path("logger").asString()).isEqualTo("dev.mintmark.app.http.Problems");
    assertThat(line.path("message").asString()).isEqualTo("failed: x");
    assertThat(line.path("code").asString()).isEqualTo("internal-error");
    assertThat(line.path("left_out").asLong()).isEqualTo(12);
    assertThat(line.path("request_id").asString()).isEqualTo("r-1");
    assertThat(line.path("caller").asString()).isEqualTo("10.0.0.1");
    assertThat(line.has("other")).isFalse();
    assertThat(line.has("nothing")).isFalse();
    JsonNode exception = line.path("exception");
    assertThat(exception.path("type").asString()).isEqualTo("java.lang.IllegalStateException");
    assertThat(exception.path("message").asString()).isEqualTo("a");
    assertThat(exception.path("stack_trace").asString())
        .startsWith("java.lang.IllegalStateException: a\n\tat dev.mintmark.app.log.LogLinesTest")
        .contains("\nCaused by: java.lang.Error: b");
  }

  @Test
  void timesHaveMicrosecondsAlsoOnTheSecond() {
    LoggingEvent event = event("a", null);
    event.setInstant(Instant.parse("2026-11-22T12:00:00Z"));

    assertThat(json(event).path("timestamp").asString()).isEqualTo("2026-11-22T12:00:00.000000Z");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a\r\n12:00:00 ERROR Forged - b",
        "a\nb",
        "a\u2028b\u2029c",
        "a\u0085b",
        "a\u001b[2Jb",
        "a\u0000\u0007\u007fb",
        "a\u202eb\u2066c",
        "\"},{\"level\":\"ERROR\"}",
        "\\\\\"",
        "\ud800"
      })
  void oneLineStaysOneLine(String hostile) {
    for (ILoggingEvent event :
        List.of(event("got {}", null, hostile), event(hostile, null), event("a", null))) {
      if (event.getMessage().equals("a")) {
        ((LoggingEvent) event).addKeyValuePair(new KeyValuePair("key", hostile));
      }
      String text = encode(new TextLines(), event);
      assertThat(text.lines()).hasSize(1);
      assertThat(text.substring(0, text.length() - 1).codePoints())
          .noneMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT);
      assertThat(json(event).path("level").asString()).isEqualTo("WARN");
    }
    String trace = encode(new TextLines(), event("a", new Error(hostile)));
    assertThat(trace.lines().skip(2)).allMatch(line -> line.startsWith("\t"));
  }

  @Test
  void textIsForPeople() {
    LoggingEvent event = event("a request failed", null);
    event.addKeyValuePair(new KeyValuePair("code", "internal-error"));
    event.addKeyValuePair(new KeyValuePair("note", "two words"));

    assertThat(encode(new TextLines(), event))
        .matches(
            "[0-9]{2}:[0-9]{2}:[0-9]{2} WARN  Problems - a request failed code=internal-error"
                + " note=\"two words\" request_id=r-1 caller=10.0.0.1\n");
  }

  @Test
  void keysAreHidden() {
    LoggingEvent event = event("key {}", new Error("key " + KEY), KEY.toUpperCase(Locale.ROOT));
    event.addKeyValuePair(new KeyValuePair("k", KEY));

    assertThat(encode(new TextLines(), event) + encode(new JsonLines(), event))
        .doesNotContainIgnoringCase("3f9k2m7qxz_7hq0c")
        .contains("mmk_...");
  }

  @Test
  void longTextsAreCut() {
    String line = encode(new TextLines(), event("a".repeat(1_000_000), null));

    assertThat(line.length()).isLessThan(EscapedText.LENGTH_MAX + 200);
  }

  @Test
  void aDeepStackTraceHasItsCause() {
    Throwable deep = deep(500);
    for (int i = 0; i < 40; i++) {
      deep = new IllegalStateException("level " + i, deep);
    }

    String trace = json(event("a", deep)).at("/exception/stack_trace").asString();

    assertThat(trace.length()).isGreaterThan(EscapedText.LENGTH_MAX);
    assertThat(trace).contains("level 39", "level 30").doesNotContain("level 20");
    assertThat(json(event("a", deep(500))).at("/exception/stack_trace").asString())
        .contains("\nCaused by: java.lang.Error: the cause\n");
  }

  private static Exception deep(int frames) {
    return frames == 0 ? new Exception("deep", new Error("the cause")) : deep(frames - 1);
  }

  @Test
  void causesThatAreCircularAreWrittenOnce() {
    Exception first = new Exception("first");
    Exception second = new Exception("second", first);
    first.initCause(second);

    assertThat(encode(new TextLines(), event("a", first))).containsOnlyOnce("second");
  }

  @Test
  void whatACallerRepeatsIsLeftOutAndCounted() {
    AtomicLong nanos = new AtomicLong();
    ListAppender<ILoggingEvent> logged = new ListAppender<>();
    logged.start();
    LimitedAppender limited = new LimitedAppender(logged, new RepeatLimit(nanos::get));
    limited.setContext(context);
    limited.start();
    logger.addAppender(limited);

    MDC.put("caller", "10.0.0.1");
    try {
      for (int i = 0; i < 25; i++) {
        logger.atWarn().addKeyValue("code", "key-rejected").log("rejected {}", i);
        logger.info("not a problem");
      }
    } finally {
      MDC.remove("caller");
    }
    logger.warn("of nobody");
    assertThat(logged.list).hasSize(10 + 25 + 1);

    nanos.addAndGet(RepeatLimit.WINDOW.toNanos());
    limited.reportEnded();

    ILoggingEvent last = logged.list.get(36);
    assertThat(logged.list).hasSize(37);
    assertThat(encode(new TextLines(), last))
        .contains("WARN  Problems - left out 15 more like this within a minute: key-rejected")
        .endsWith("left_out=15 caller=10.0.0.1\n");
  }

  @Test
  void theAccessLogIsWhole() {
    ListAppender<ILoggingEvent> logged = new ListAppender<>();
    logged.start();
    LimitedAppender limited = new LimitedAppender(logged, new RepeatLimit(() -> 0));
    limited.setContext(context);
    limited.start();
    Logger access = context.getLogger(LogKeys.ACCESS_LOGGER);
    access.addAppender(limited);

    for (int i = 0; i < 25; i++) {
      access.atInfo().addKeyValue("code", "pool-exhausted").log("request");
    }

    assertThat(logged.list).hasSize(25);
  }
}
