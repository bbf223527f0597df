package dev.mintmark.app.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mintmark.app.access.KeyRing.Recognized;
import dev.mintmark.app.database.Database;
import dev.mintmark.app.database.DatabaseAddress;
import dev.mintmark.app.database.OwnDatabases;
import dev.mintmark.fixtures.BreakableDataSource;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.fixtures.ThreadPerTask;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How long keys are remembered, and what the tables of keys and of the audit contain. */
@Tag("slow")
class KeyRingTest {
  private static final AuditEntry.Actor ACTOR =
      new AuditEntry.Actor("command:test", "", "here", Optional.empty());

  private static Database database;
  private static BreakableDataSource breakable;
  private static Keys keys;
  private static Audit audit;

  private final AtomicLong nanos = new AtomicLong();

  /** PostgreSQL rounds to microseconds. */
  private Instant now = Instant.now().truncatedTo(ChronoUnit.MICROS);

  @BeforeAll
  static void start() {
    database = OwnDatabases.open();
    database.createAccessTables();
    database.createAccessTables(); // Creates nothing twice.
    breakable = new BreakableDataSource(database.connectionPool("test", 2));
    keys = Keys.over(breakable.dataSource());
    audit = Audit.over(breakable.dataSource());
  }

  @AfterAll
  static void stop() {
    database.close();
  }

  @BeforeEach
  void mend() {
    breakable.mend();
    nanos.set(0);
  }

  @Test
  void aRevokedKeyIsRejectedAfterTheNextReading() {
    KeyText text = create(Optional.empty());
    KeyRing ring = ring();

    assertThat(ring.recognize(text)).isInstanceOf(Recognized.Known.class);
    assertThat(keys.revoke(text.id(), entry("revoke"), "exit 0")).isPresent();
    assertThat(ring.recognize(text)).as("remembered").isInstanceOf(Recognized.Known.class);
    ring.refresh();

    assertThat(ring.recognize(text)).isInstanceOf(Recognized.Over.class);
    assertThat(ring.areAccountsOn()).isTrue();
  }

  @Test
  void keysAreNotUsedWhenTheyWereReadTooLongAgo() {
    KeyText text = create(Optional.empty());
    KeyRing ring = ring();
    breakable.cut();

    nanos.set(KeyRing.REMEMBERED_FOR.toNanos());
    assertThat(ring.recognize(text)).isInstanceOf(Recognized.Known.class);
    nanos.incrementAndGet();

    assertThatExceptionOfType(AccessUnavailableException.class)
        .isThrownBy(() -> ring.recognize(text));
    breakable.mend();
    assertThatExceptionOfType(AccessUnavailableException.class)
        .as("the failure is remembered for a second")
        .isThrownBy(() -> ring.recognize(text));
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(ring.recognize(text)).isInstanceOf(Recognized.Known.class);
    assertThat(KeyRing.REMEMBERED_FOR).isLessThanOrEqualTo(Duration.ofSeconds(5));
    assertThat(ring.areAccountsOn()).isTrue();
  }

  @Test
  void anExpiredKeyIsRejectedAtOnce() {
    Instant end = now.plusSeconds(60);
    KeyText text = create(Optional.of(end));
    KeyRing ring = ring();

    now = end.minusMillis(1);
    assertThat(ring.recognize(text)).isInstanceOf(Recognized.Known.class);
    now = end;

    assertThat(ring.recognize(text)).isInstanceOf(Recognized.Over.class);
  }

  @Test
  void anotherSecretUnderAKnownIdIsUnknown() {
    KeyText text = create(Optional.empty());
    KeyText forged = new KeyText(text.id(), KeyText.mint(new SecureRandom()).text());

    assertThat(ring().recognize(forged)).isInstanceOf(Recognized.Unknown.class);
  }

  @Test
  void theLastUseIsWrittenOnceAMinute() {
    KeyText text = create(Optional.empty());
    KeyRing ring = ring();

    ring.refresh();
    assertThat(lastUse(text)).isEmpty();
    ring.recognize(text);
    ring.refresh();
    Instant first = lastUse(text).orElseThrow();
    ring.recognize(text);
    ring.refresh();

    assertThat(lastUse(text)).contains(first);
  }

  /** Servers of two versions share the keys while one replaces the other. */
  @Test
  void aScopeOfALaterVersionPermitsNothing() throws Exception {
    KeyText text = create(Optional.empty());
    KeyText other = create(Optional.empty());
    try (var connection = breakable.dataSource().getConnection();
        var statement =
            connection.prepareStatement(
                "update mintmark.access_key set scopes = '{later:read,pools:read:p}'"
                    + " where key_id = ?")) {
      statement.setString(1, text.id());
      assertThat(statement.executeUpdate()).isEqualTo(1);
    }
    KeyRing ring = ring();

    assertThat(ring.recognize(other)).isInstanceOf(Recognized.Known.class);
    assertThat(ring.recognize(text))
        .isInstanceOfSatisfying(
            Recognized.Known.class,
            known -> assertThat(known.key().scopes()).containsExactly(Scope.parse("pools:read:p")));
    assertThat(keys.list()).extracting(ApiKey::id).contains(text.id());
  }

  @Test
  void theTextOfAKeyIsNotInTheDatabase() throws Exception {
    KeyText text = create(Optional.empty());

    try (var connection = breakable.dataSource().getConnection();
        var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "select k::text || a::text from mintmark.access_key k, mintmark.access_audit a")) {
      while (rows.next()) {
        assertThat(rows.getString(1)).doesNotContain(text.text().substring(16));
      }
    }
  }

  @Test
  void aKeyAndItsEntryInTheAuditAreCreatedTogether() {
    int before = keys.list().size();

    breakable.cutOnceAfter(4);
    assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> create(Optional.empty()));
    breakable.mend();
    KeyText text = create(Optional.empty());

    assertThat(keys.list()).hasSize(before + 1);
    AuditEntry last = audit.list(AuditFilter.ALL, OptionalLong.empty(), 1).get(0);
    assertThat(last.target()).isEqualTo(text.id());
    assertThat(last.action()).isEqualTo("key create");
    assertThat(last.outcome()).contains("exit 0");
  }

  @Test
  void entriesWaitUntilTheDatabaseTakesThem() {
    AuditQueue queue = new AuditQueue(audit);
    for (int i = 0; i < 2_500; i++) {
      queue.checkRoom();
      queue.add(entry("queued " + i).ended("201"));
    }
    breakable.cut();
    assertThatExceptionOfType(RuntimeException.class).isThrownBy(queue::store);
    breakable.mend();
    queue.store();
    queue.store();

    List<AuditEntry> stored = audit.list(AuditFilter.ALL, OptionalLong.empty(), 1_000);
    assertThat(stored.get(0).action()).isEqualTo("queued 2499");
    assertThat(stored.get(999).action()).isEqualTo("queued 1500");
    assertThat(
            audit.list(AuditFilter.ALL, OptionalLong.of(stored.get(999).id()), 1).get(0).action())
        .isEqualTo("queued 1499");
  }

  /** What callers write, such as the names in their tokens, does not stop the audit. */
  @ParameterizedTest
  @ValueSource(strings = {"B\u0000b", "a\ud800b", "\udc00", "\ud83d\ude00", "\uffff"})
  void aTextOfAnyCharactersIsStored(String text) {
    AuditQueue queue = new AuditQueue(audit);
    queue.add(ofOneText(text));
    queue.add(entry("after it"));
    queue.store();
    audit.end(audit.begin(ofOneText(text)));

    List<AuditEntry> stored = audit.list(AuditFilter.ALL, OptionalLong.empty(), 3);
    assertThat(stored.get(0).target()).isEqualTo(stored.get(2).target()).isNotEmpty();
    assertThat(stored.get(1).action()).isEqualTo("after it");
  }

  private static TestDatabase inLatin1() {
    return TestServer.NEWEST.createDatabase(
        "encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0");
  }

  @Test
  void whatTheEncodingOfTheDatabaseLacksIsStoredInAscii() {
    TestDatabase latin = inLatin1();
    try (Database opened = Database.connect(address(latin))) {
      opened.createAccessTables();
      Audit audit = Audit.over(opened.connection());
      AuditQueue queue = new AuditQueue(audit);
      for (int i = 0; i < 1_001; i++) {
        queue.add(ofOneText(i % 250 == 0 ? "王" : "é" + i));
      }
      queue.store();
      queue.store();
      audit.end(audit.begin(ofOneText("小明")).withTarget("明"));

      List<AuditEntry> stored = audit.list(AuditFilter.ALL, OptionalLong.empty(), 1_000);
      assertThat(stored.get(0).actor()).isEqualTo("\\u5c0f\\u660e");
      assertThat(stored.get(0).target()).isEqualTo("\\u660e");
      for (int i = 1_000; i > 1; i--) {
        AuditEntry queued = stored.get(1_001 - i);
        String text = i % 250 == 0 ? "\\u738b" : "é" + i;
        assertThat(queued).isEqualTo(ofOneText(queued, text));
      }
      assertThat(latin.number("select count(*) from mintmark.access_audit")).isEqualTo(1_002);
    }
  }

  @Test
  void whoIsNotInTheEncodingOfTheDatabaseMayCreateAndRevokeKeys() {
    TestDatabase latin = inLatin1();
    try (Database opened = Database.connect(address(latin))) {
      opened.createAccessTables();
      Keys keys = Keys.over(opened.connection());
      ApiKey created = create(keys, Optional.empty(), ofOneText("王")).key();
      keys.revoke(created.id(), ofOneText("王"), "200");

      assertThat(created.createdBy()).isEqualTo("\\u738b");
      assertThat(keys.find(created.id()).orElseThrow().revokedAt()).isPresent();
      assertThat(latin.number("select count(*) from mintmark.access_audit")).isEqualTo(2);
    }
  }

  /** In a serializable transaction, an entry that another one changes meanwhile gets no outcome. */
  @Test
  void theIsolationOfARoleDoesNotLoseOutcomes() throws Exception {
    TestDatabase serializable = TestServer.NEWEST.createDatabase();
    try (Database opened = Database.connect(address(serializable))) {
      opened.createAccessTables();
    }
    serializable.execute(
        "alter database %s set default_transaction_isolation = 'serializable'"
            .formatted(serializable.name()));
    Audit audit = Audit.over(serializable.newSessions());
    AuditEntry begun = audit.begin(entry("begins"));
    CompletableFuture<Void> ending;
    try (var other = serializable.newSessions().getConnection();
        var statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("update mintmark.access_audit set target = 'other'");
      ending =
          CompletableFuture.runAsync(() -> audit.end(begun.ended("201")), ThreadPerTask.EXECUTOR);
      Patience.await(
          "the end waits for the other session",
          () ->
              serializable.number(
                      "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")
                  > 0);
      other.commit();
    }
    ending.get(Patience.MAX.toSeconds(), TimeUnit.SECONDS);

    assertThat(audit.list(AuditFilter.ALL, OptionalLong.empty(), 1).get(0).outcome())
        .contains("201");
  }

  @Test
  void searchesOfTheAuditLeaveAConnectionForKeys() throws Exception {
    CompletableFuture<?> waiting;
    try (var other = database.ownConnections("test").getConnection();
        var statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("lock table mintmark.access_audit in access exclusive mode");
      List<CompletableFuture<?>> searches = List.of(search(), search(), search());

      Patience.await(
          "one search runs, and the others are refused",
          () -> searches.stream().filter(CompletableFuture::isCompletedExceptionally).count() >= 2);
      assertThat(searches)
          .filteredOn(CompletableFuture::isCompletedExceptionally)
          .allSatisfy(
              refused ->
                  assertThatExceptionOfType(CompletionException.class)
                      .isThrownBy(refused::join)
                      .havingCause()
                      .withMessage("another search of the audit has not ended"));
      assertThat(keys.list()).isNotNull();

      waiting = searches.stream().filter(one -> !one.isDone()).findFirst().orElseThrow();
      other.rollback();
    }
    waiting.get(Patience.MAX.toSeconds(), TimeUnit.SECONDS);
    assertThat(audit.list(AuditFilter.ALL, OptionalLong.empty(), 1)).hasSizeLessThan(2);
  }

  private static CompletableFuture<?> search() {
    return CompletableFuture.runAsync(
        () -> {
          var unused = audit.list(AuditFilter.ALL, OptionalLong.empty(), 1);
        },
        ThreadPerTask.EXECUTOR);
  }

  @Test
  void aRoleThatOnlyReadsIsToldSo() {
    TestDatabase readOnly = TestServer.NEWEST.createDatabase();
    try (Database opened = Database.connect(address(readOnly))) {
      opened.createAccessTables();
    }
    readOnly.execute(
        "alter database %s set default_transaction_read_only = on".formatted(readOnly.name()));
    Audit audit = Audit.over(readOnly.newSessions());

    assertThatExceptionOfType(AccessUnavailableException.class)
        .isThrownBy(() -> audit.begin(entry("begins")))
        .withMessageContaining("cannot execute INSERT in a read-only transaction");
    assertThat(audit.list(AuditFilter.ALL, OptionalLong.empty(), 1)).isEmpty();
  }

  private static DatabaseAddress address(TestDatabase some) {
    return DatabaseAddress.parse(
        "postgresql://postgres@127.0.0.1:%d/%s".formatted(some.port(), some.name()));
  }

  /** An entry that has the same text everywhere. */
  private static AuditEntry ofOneText(String text) {
    return ofOneText(entry(text), text);
  }

  private static AuditEntry ofOneText(AuditEntry stored, String text) {
    return new AuditEntry(
        stored.id(),
        stored.at(),
        text,
        text,
        text,
        text,
        text,
        text,
        Optional.of(text),
        Optional.of(text));
  }

  @Test
  void aFullQueueRefusesChanges() {
    AuditQueue queue = new AuditQueue(audit);
    for (int i = 0; i < AuditQueue.WAITING_MAX; i++) {
      queue.add(entry("waits"));
    }

    assertThatExceptionOfType(AccessUnavailableException.class)
        .isThrownBy(queue::checkRoom)
        .withMessageStartingWith("10000 entries of the audit wait for the database");
  }

  @Test
  void whatFailedTakesNoRoomFromChanges() {
    AuditQueue queue = new AuditQueue(audit);
    for (int i = 0; i < AuditQueue.WAITING_MAX; i++) {
      queue.addFailed(entry("failed " + i).ended("503"));
    }
    queue.checkRoom();
    queue.add(entry("changed").ended("201"));
    queue.store();

    List<AuditEntry> stored = audit.list(AuditFilter.ALL, OptionalLong.empty(), 2);
    assertThat(stored).extracting(AuditEntry::action).containsExactly("changed", "failed 999");
  }

  @Test
  void anEndWaitsUntilTheDatabaseTakesIt() {
    AuditQueue queue = new AuditQueue(audit);
    AuditEntry begun = audit.begin(entry("begins late"));
    queue.add(entry("before it").ended("201"));
    queue.add(begun.withTarget("pool value").ended("201"));
    breakable.cut();
    assertThatExceptionOfType(RuntimeException.class).isThrownBy(queue::store);
    breakable.mend();
    queue.store();

    List<AuditEntry> stored = audit.list(AuditFilter.ALL, OptionalLong.empty(), 2);
    assertThat(stored).extracting(AuditEntry::action).containsExactly("before it", "begins late");
    assertThat(stored.get(1).outcome()).contains("201");
    assertThat(stored.get(1).target()).isEqualTo("pool value");
  }

  @Test
  void whatBeganWithoutAnEndIsInTheAudit() {
    AuditEntry stored = audit.begin(entry("begins"));

    AuditEntry begun = audit.list(AuditFilter.ALL, OptionalLong.empty(), 1).get(0);
    audit.end(stored.withTarget("pool value").ended("201"));
    AuditEntry ended = audit.list(AuditFilter.ALL, OptionalLong.empty(), 1).get(0);

    assertThat(begun.outcome()).isEmpty();
    assertThat(ended.outcome()).contains("201");
    assertThat(ended.target()).isEqualTo("pool value");
  }

  @Test
  void sessionsEndInTime() {
    KeyText text = create(Optional.empty());
    KeyRing ring = ring();
    Sessions sessions = new Sessions(ring, nanos::get);
    ApiKey key = ((Recognized.Known) ring.recognize(text)).key();
    String idle = sessions.open(key);
    String used = sessions.open(key);
    String ended = sessions.open(key);

    sessions.end(ended);
    assertThat(sessions.find(ended)).isEmpty();
    assertThat(sessions.find(idle)).contains(key);
    for (Duration at = Duration.ZERO;
        at.compareTo(Sessions.LENGTH_MAX) < 0;
        at = at.plus(Sessions.IDLE_MAX.dividedBy(2))) {
      nanos.set(at.toNanos());
      ring.refresh();
      assertThat(sessions.find(used)).as(at.toString()).isPresent();
    }
    assertThat(sessions.find(idle)).isEmpty();
    nanos.set(Sessions.LENGTH_MAX.toNanos());
    ring.refresh();
    assertThat(sessions.find(used)).isEmpty();
  }

  private KeyRing ring() {
    return new KeyRing(keys, () -> now, nanos::get);
  }

  private static KeyText create(Optional<Instant> expiresAt) {
    return create(keys, expiresAt, entry("key create")).text();
  }

  private static Keys.Created create(Keys keys, Optional<Instant> expiresAt, AuditEntry creation) {
    return keys.create(
        new KeyRequest("test", List.of(Scope.of(Scope.Kind.ADMIN)), Optional.empty(), expiresAt),
        Optional.empty(),
        creation,
        "exit 0");
  }

  private static Optional<Instant> lastUse(KeyText text) {
    return keys.find(text.id()).orElseThrow().lastUsedAt();
  }

  private static AuditEntry entry(String action) {
    return AuditEntry.begun(Instant.now(), ACTOR, action, "", "");
  }
}
