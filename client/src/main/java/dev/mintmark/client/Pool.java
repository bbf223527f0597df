package dev.mintmark.client;

import dev.mintmark.DurationText;
import dev.mintmark.PoolSpec;
import dev.mintmark.client.Transport.Request;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A pool of a server. Immutable and safe for use by many threads. Opening one sends nothing.
 *
 * <p>Every method that sends a request fails with a {@link MintmarkException}: {@link
 * ProblemException} if the server rejects the request, such as {@code pool-not-found}; {@link
 * UnavailableException} if there is no answer before the deadline; {@link AnswerException} if the
 * answer is not one of the HTTP API; {@link InterruptedCallException} if the thread is interrupted.
 */
public final class Pool {
  /** The most clients of one request. */
  public static final int CLIENTS_MAX = 1_024;

  private static final int PAGE_MAX = 1_000;
  private static final int OK = 200;
  private static final int CREATED = 201;
  private static final int NO_CONTENT = 204;

  private final Transport transport;
  private final String name;
  private final String path;

  Pool(Transport transport, String name) {
    this.transport = transport;
    this.name = name;
    this.path = "/v1/pools/" + Names.segment("pool", name);
  }

  /** The name of the pool. */
  public String name() {
    return name;
  }

  /** Claims any value, with the lease of the pool. */
  public ClaimResult claim(String client) {
    return claim(client, ClaimOptions.DEFAULT);
  }

  /**
   * Claims a value, or several values.
   *
   * <p>If the server says that it is too busy for a claim ({@link ClaimResult.Reason#CONTENDED},
   * {@link ClaimResult.Reason#TOO_MANY_CLAIMS}), the claim is repeated until the deadline; other
   * rejections are returned at once.
   *
   * @param client who holds the value: 1 to 255 characters, without control characters
   * @throws IllegalArgumentException if the name is malformed
   */
  public ClaimResult claim(String client, ClaimOptions options) {
    return timedClaim(client, options).result();
  }

  /**
   * A result, and when it was asked for.
   *
   * @param sentNanos the monotonic clock before the attempt was sent that had this result
   */
  record Timed<T>(T result, long sentNanos) {}

  Timed<ClaimResult> timedClaim(String client, ClaimOptions options) {
    Names.check("client", client);
    Map<String, Object> members = ClaimJson.members(options);
    members.put("client", client);
    Reply reply = post("/claims", members);
    return new Timed<>(result(reply, options.count()), reply.sentNanos());
  }

  private static ClaimResult result(Reply reply, int count) {
    if (reply.isError()) {
      return new ClaimResult.Rejected(rejection(reply));
    }
    List<Claim> claims =
        count > 1
            ? reply.read(json -> json.objects("claims").stream().map(ClaimJson::claim).toList())
            : List.of(reply.read(ClaimJson::claim));
    if (claims.size() != count || reply.status() > CREATED) {
      throw reply.failure();
    }
    return held(reply.status(), claims);
  }

  /** A problem that is a result of claims; others are exceptions. */
  private static Problem rejection(Reply reply) {
    return reply
        .problem()
        .filter(problem -> ClaimResult.Reason.isResult(problem.code()))
        .orElseThrow(reply::failure);
  }

  private static ClaimResult held(int status, List<Claim> claims) {
    return status == CREATED
        ? new ClaimResult.Granted(claims)
        : new ClaimResult.AlreadyHeld(claims);
  }

  /** Claims any value for each client, with the lease of the pool. */
  public Map<String, ClaimResult> claimAll(List<String> clients) {
    return claimAll(clients, ClaimOptions.DEFAULT);
  }

  /**
   * Claims a value for each client, in one request. Each claim is on its own: some may be granted
   * and others rejected. Rejected ones are not repeated.
   *
   * @param clients 1 to {@value #CLIENTS_MAX} different names
   * @param options for all of them, without a named value and without a count
   * @return a result for each client, in their order
   * @throws IllegalArgumentException if there are too few or too many clients, a name is malformed
   *     or repeated, or an option is only for one client
   */
  public Map<String, ClaimResult> claimAll(List<String> clients, ClaimOptions options) {
    return timedClaimAll(clients, options).result();
  }

  Timed<Map<String, ClaimResult>> timedClaimAll(List<String> clients, ClaimOptions options) {
    List<String> names = List.copyOf(clients);
    names.forEach(client -> Names.check("client", client));
    if (names.isEmpty()
        || names.size() > CLIENTS_MAX
        || new HashSet<>(names).size() < names.size()) {
      throw new IllegalArgumentException(
          "%s clients: expected 1 to %s different ones".formatted(names.size(), CLIENTS_MAX));
    }
    if (options.value().isPresent() || options.count() > 1) {
      throw new IllegalArgumentException(
          "claims for many clients have no named value and no count");
    }
    Map<String, Object> members = ClaimJson.members(options);
    members.put("clients", names);
    Reply reply = successful(post("/claims", members));
    Map<String, ClaimResult> results = new LinkedHashMap<>();
    for (JsonObject outcome : reply.read(json -> json.objects("outcomes"))) {
      reply.read(json -> results.put(outcome.text("client"), result(outcome)));
    }
    if (!List.copyOf(results.keySet()).equals(names)) {
      throw reply.failure();
    }
    return new Timed<>(Collections.unmodifiableMap(results), reply.sentNanos());
  }

  private static ClaimResult result(JsonObject outcome) {
    Optional<ClaimResult> rejected = ClaimJson.problem(outcome).map(ClaimResult.Rejected::new);
    return rejected.orElseGet(
        () ->
            held(
                outcome.integer("status"),
                outcome.optionalObject("claim").map(ClaimJson::claim).stream().toList()));
  }

  /** Renews a claim by the lease it was claimed with. The lease starts again now. */
  public RenewResult renew(Claim claim) {
    return renew(checked(claim).value(), claim.token(), Optional.empty());
  }

  /**
   * Renews a claim. The lease starts again now; an end that is later stays.
   *
   * @param token the token of the claim
   * @param lease 1 second to 3,650 days, in whole milliseconds; empty: as it was claimed
   * @throws IllegalArgumentException if the value or the lease is malformed
   */
  public RenewResult renew(String value, long token, Optional<Duration> lease) {
    lease.ifPresent(PoolSpec::checkLease);
    Reply reply = transport.send(renewal(value, token, lease));
    return reply.isError()
        ? lost(reply, () -> new NotHeld(name, value), () -> new Superseded(name, value))
        : new RenewResult.Renewed(reply.read(ClaimJson::claim));
  }

  Request renewal(String value, long token, Optional<Duration> lease) {
    Map<String, Object> members = new LinkedHashMap<>();
    lease.ifPresent(length -> members.put("lease", DurationText.format(length)));
    return Request.post(pathOf(value) + "/renewal", JsonObject.write(members)).withToken(token);
  }

  /** Releases a claim: its value is quarantined, then other clients can claim it. */
  public ReleaseResult release(Claim claim) {
    return release(checked(claim).value(), claim.token());
  }

  /**
   * Releases a value.
   *
   * @param token the token of the claim
   * @throws IllegalArgumentException if the value is malformed
   */
  public ReleaseResult release(String value, long token) {
    return release(value, token, transport.endNanos());
  }

  /** The same with a deadline, by the monotonic clock. */
  ReleaseResult release(String value, long token, long endNanos) {
    Request request =
        new Request("DELETE", pathOf(value), OptionalLong.of(token), Optional.empty());
    Reply reply = transport.send(request, endNanos);
    return reply.status() == NO_CONTENT
        ? new ReleaseResult.Released(name, value)
        : lost(reply, () -> new NotHeld(name, value), () -> new Superseded(name, value));
  }

  /**
   * Releases the claims that a filter selects, 1,000 with each request. If a request fails, the
   * claims of those before it are released; repeat the call for the others.
   *
   * @return how many claims the answers say were released; those of an attempt whose answer was
   *     lost are released, too, and not counted
   * @throws IllegalArgumentException if the filter selects all claims
   */
  public long releaseAll(ClaimFilter filter) {
    return changeAll("/releases", "released", filter, Optional.empty());
  }

  /**
   * Renews the claims that a filter selects, 1,000 with each request. Each lease starts again now;
   * an end that is later stays. If a request fails, the claims of those before it are renewed.
   *
   * @param lease 1 second to 3,650 days, in whole milliseconds; empty: each as it was claimed
   * @return how many claims were renewed
   * @throws IllegalArgumentException if the filter selects all claims, or the lease is malformed
   */
  public long renewAll(ClaimFilter filter, Optional<Duration> lease) {
    lease.ifPresent(PoolSpec::checkLease);
    return changeAll("/renewals", "renewed", filter, lease);
  }

  private long changeAll(
      String below, String changed, ClaimFilter filter, Optional<Duration> lease) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("select", filter.selection());
    members.put("limit", PAGE_MAX);
    lease.ifPresent(length -> members.put("lease", DurationText.format(length)));
    long count = 0;
    Optional<String> after;
    do {
      Reply reply = successful(post(below, members));
      count += reply.read(json -> json.objects(changed).size());
      after = nextPage(reply, Optional.ofNullable((String) members.get("after")));
      after.ifPresent(value -> members.put("after", value));
    } while (after.isPresent());
    return count;
  }

  /** Writes about a claim, in place of what is written. */
  public NoteResult setNote(Claim claim, ClaimNote note) {
    return setNote(checked(claim).value(), claim.token(), note);
  }

  /**
   * Writes about a claim, in place of what is written.
   *
   * @param token the token of the claim
   * @throws IllegalArgumentException if the value is malformed
   */
  public NoteResult setNote(String value, long token, ClaimNote note) {
    Request request =
        new Request(
            "PUT",
            pathOf(value) + "/note",
            OptionalLong.of(token),
            Optional.of(JsonObject.write(ClaimJson.members(note))));
    Reply reply = transport.send(request);
    return reply.isError()
        ? lost(reply, () -> new NotHeld(name, value), () -> new Superseded(name, value))
        : new NoteResult.Noted(reply.read(ClaimJson::note));
  }

  /** Returns the claim of a value, if it is held. */
  public Optional<Claim> find(String value) {
    Reply reply = transport.send(Request.get(pathOf(value)));
    if (code(reply).equals("claim-not-found")) {
      return Optional.empty();
    }
    return Optional.of(successful(reply).read(ClaimJson::claim));
  }

  /**
   * Returns the claims that a filter selects, in the order of their values. Pages of 1,000 are read
   * when the stream needs them, so a claim that is made or ends meanwhile can be missing. The key
   * needs the scope {@code pools:read}.
   */
  public Stream<Claim> claims(ClaimFilter filter) {
    return StreamSupport.stream(
        Spliterators.spliteratorUnknownSize(
            new PagedClaims(filter), Spliterator.ORDERED | Spliterator.NONNULL),
        false);
  }

  /**
   * Renews a claim now, and then at each third of the lease of the pool, until it is closed. The
   * key needs the scope {@code pools:read}, which reading that lease requires.
   *
   * @throws IllegalStateException if claims of the pool do not expire
   * @throws ProblemException with {@code claim-not-found} or {@code token-superseded} if the claim
   *     is lost already
   */
  public Lease keepAlive(Claim claim) {
    Duration lease =
        successful(transport.send(Request.get(path)))
            .read(json -> json.optionalText("lease"))
            .map(DurationText::parse)
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "pool \"%s\": its claims do not expire".formatted(name)));
    return keepAlive(claim, lease);
  }

  /** The same with a lease of 1 second to 3,650 days. Reads nothing else than the claim. */
  public Lease keepAlive(Claim claim, Duration lease) {
    return keepAlive(claim, lease, loss -> {});
  }

  /**
   * The same with a callback.
   *
   * @param onLoss called once when the claim is lost or can no longer be trusted, on the thread of
   *     the lease; not called after the lease was closed
   */
  public Lease keepAlive(Claim claim, Duration lease, Consumer<LeaseLoss> onLoss) {
    PoolSpec.checkLease(lease);
    return Lease.start(this, transport, checked(claim), lease, onLoss);
  }

  /** Opens a session, whose claims are kept alive together. Sends nothing. */
  public Session session(Duration lease) {
    return session(lease, loss -> {});
  }

  /**
   * The same with a callback.
   *
   * @param lease of each claim, 1 second to 3,650 days
   * @param onLoss called once for each claim that is lost or can no longer be trusted, on the
   *     thread of the session; not called after the session was closed
   */
  public Session session(Duration lease, Consumer<LeaseLoss> onLoss) {
    PoolSpec.checkLease(lease);
    return Session.open(this, transport, lease, onLoss);
  }

  Request keepAlive(List<Claim> claims, Duration lease) {
    List<Map<String, String>> named =
        claims.stream()
            .map(claim -> Map.of("value", claim.value(), "token", Long.toString(claim.token())))
            .toList();
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("claims", named);
    members.put("lease", DurationText.format(lease));
    return Request.post(path + "/keep-alive", JsonObject.write(members));
  }

  @Override
  public String toString() {
    return "Pool[" + name + "]";
  }

  private Reply post(String below, Map<String, Object> members) {
    return transport.send(Request.post(path + below, JsonObject.write(members)));
  }

  private String pathOf(String value) {
    return path + "/claims/" + Names.segment("value", value);
  }

  private Claim checked(Claim claim) {
    if (!claim.pool().equals(name)) {
      throw new IllegalArgumentException(
          "the claim is of pool \"%s\": expected one of pool \"%s\"".formatted(claim.pool(), name));
    }
    return claim;
  }

  /** Returns where the next page begins; empty after the last one. */
  private static Optional<String> nextPage(Reply reply, Optional<String> after) {
    Optional<String> next = reply.read(json -> json.optionalText("next"));
    if (next.isPresent() && next.equals(after)) {
      throw reply.failure();
    }
    return next;
  }

  private static Reply successful(Reply reply) {
    if (reply.status() != OK) {
      throw reply.failure();
    }
    return reply;
  }

  /** The code of a problem; empty if the answer is not one. */
  static String code(Reply reply) {
    return reply.problem().map(Problem::code).orElse("");
  }

  private static <T> T lost(
      Reply reply, Supplier<? extends T> notHeld, Supplier<? extends T> superseded) {
    return switch (code(reply)) {
      case "claim-not-found" -> notHeld.get();
      case "token-superseded" -> superseded.get();
      default -> throw reply.failure();
    };
  }

  /** Claims, page by page. */
  private final class PagedClaims implements Iterator<Claim> {
    private final String query;
    private Iterator<Claim> page = Collections.emptyIterator();
    private Optional<String> after = Optional.empty();
    private boolean isLast;

    PagedClaims(ClaimFilter filter) {
      query = path + "/claims?" + filter.query() + "limit=" + PAGE_MAX;
    }

    @Override
    public boolean hasNext() {
      while (!page.hasNext() && !isLast) {
        String from = after.map(value -> "&after=" + Names.encode(value)).orElse("");
        Reply reply = successful(transport.send(Request.get(query + from)));
        Optional<String> next = nextPage(reply, after);
        page = reply.read(PagedClaims.this::claims).iterator();
        after = next;
        isLast = next.isEmpty();
      }
      return page.hasNext();
    }

    private List<Claim> claims(JsonObject json) {
      return json.objects("claims").stream().map(ClaimJson::claim).toList();
    }

    @Override
    public Claim next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return page.next();
    }
  }
}
