package dev.mintmark.app.access;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.BadJWTException;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import com.nimbusds.jwt.proc.ExpiredJWTException;
import dev.mintmark.postgres.pool.ClaimFilter;
import java.io.IOException;
import java.net.URI;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes the tokens of an identity provider: access tokens that are JWTs (RFC 7519, RFC 9068),
 * signed by a key that the provider publishes (OpenID Connect Discovery 1.0, section 4).
 *
 * <p>What was verified is remembered for {@link #REMEMBERED_FOR}, so that a signature is computed
 * once for many requests; only the SHA-256 of a token is kept. The keys of the provider are read
 * again after five minutes, or when a token names one that is not known, at most every 30 seconds.
 * If the provider does not answer, those that were read last are used for {@link #OUTAGE}.
 *
 * <p>Safe for use by many threads. The classes of Nimbus are loaded with this one.
 */
public final class Tokens {
  /** How long a token that was verified is accepted without looking at its signature again. */
  public static final Duration REMEMBERED_FOR = Duration.ofMinutes(5);

  /** How long keys are used whose provider does not answer. */
  public static final Duration OUTAGE = Duration.ofHours(1);

  /** After how long the keys of the provider are read again. */
  private static final Duration KEYS_READ_AGAIN = Duration.ofMinutes(5);

  /** How much the clocks of the provider and of this server may differ. */
  public static final Duration CLOCK_SKEW = Duration.ofSeconds(30);

  static final int REMEMBERED_MAX = 10_000;

  private static final Set<JWSAlgorithm> ALGORITHMS =
      Set.of(
          JWSAlgorithm.RS256,
          JWSAlgorithm.RS384,
          JWSAlgorithm.RS512,
          JWSAlgorithm.PS256,
          JWSAlgorithm.PS384,
          JWSAlgorithm.PS512,
          JWSAlgorithm.ES256,
          JWSAlgorithm.ES384,
          JWSAlgorithm.ES512);

  /**
   * Who a token is for: names for people, in the order in which they are looked for. One that is
   * too long, or has control characters, is passed over.
   */
  private static final List<String> NAMES = List.of("preferred_username", "azp", "client_id");

  private static final String DISCOVERY = "/.well-known/openid-configuration";
  private static final int CONNECT_MILLIS = 2_000;
  private static final int READ_MILLIS = 3_000;
  private static final int BYTES_MAX = 1 << 20;
  private static final int TOKEN_LENGTH_MAX = 8 << 10;
  private static final int SUBJECT_LENGTH_MAX = 255;

  /** How long a provider that did not answer is not asked again. */
  private static final Duration RETRIED_AFTER = Duration.ofSeconds(1);

  private final TokenRules rules;
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private final DefaultResourceRetriever retriever =
      new DefaultResourceRetriever(CONNECT_MILLIS, READ_MILLIS, BYTES_MAX);
  private final Map<String, Remembered> remembered = new ConcurrentHashMap<>();

  private volatile @Nullable DefaultJWTProcessor<SecurityContext> processor;
  private @Nullable Failure failure;

  private record Remembered(TokenHolder holder, long untilNanos) {}

  private record Failure(String message, long nanos) {}

  /** Accepts tokens by these rules. Asks the provider nothing yet. */
  public Tokens(TokenRules rules) {
    this(rules, InstantSource.system(), System::nanoTime);
  }

  Tokens(TokenRules rules, InstantSource clock, LongSupplier nanoTime) {
    this.rules = rules;
    this.clock = clock;
    this.nanoTime = nanoTime;
  }

  /**
   * Asks the provider where its keys are, which the first token would do otherwise.
   *
   * @throws AccessUnavailableException if it does not answer
   */
  public void connect() {
    var unused = processor();
  }

  /**
   * Returns who holds a token.
   *
   * @throws TokenRejectedException if it is not a token for this server that is valid now
   * @throws AccessUnavailableException if that cannot be checked, because the provider does not
   *     answer
   */
  public TokenHolder recognize(String text) {
    if (text.length() > TOKEN_LENGTH_MAX) {
      throw new TokenRejectedException(
          "the token is longer than %s characters".formatted(TOKEN_LENGTH_MAX));
    }
    String hash = Base64.getEncoder().encodeToString(KeyText.sha256(text));
    long now = nanoTime.getAsLong();
    Remembered known = remembered.get(hash);
    if (known != null && now - known.untilNanos < 0) {
      if (known.holder.isOver(clock.instant())) {
        throw expired(known.holder.expiresAt());
      }
      return known.holder;
    }
    TokenHolder holder = holder(verified(text));
    remember(hash, holder, now);
    return holder;
  }

  private void remember(String hash, TokenHolder holder, long now) {
    if (remembered.size() >= REMEMBERED_MAX) {
      remembered.values().removeIf(one -> now - one.untilNanos >= 0);
    }
    if (remembered.size() < REMEMBERED_MAX) {
      remembered.put(hash, new Remembered(holder, now + REMEMBERED_FOR.toNanos()));
    }
  }

  /** Whether the token of a holder is not over. */
  public boolean isInUse(TokenHolder holder) {
    return !holder.isOver(clock.instant());
  }

  private JWTClaimsSet verified(String text) {
    try {
      return processor().process(SignedJWT.parse(text), null);
    } catch (ParseException e) {
      throw new TokenRejectedException("this is not a signed JWT");
    } catch (ExpiredJWTException e) {
      throw new TokenRejectedException("the token is expired");
    } catch (BadJWTException e) {
      throw new TokenRejectedException("the token is not valid here: " + e.getMessage());
    } catch (BadJOSEException e) {
      throw new TokenRejectedException(
          "the token is not signed by a key of its issuer %s, or not with one of %s"
              .formatted(rules.issuer(), names(ALGORITHMS)));
    } catch (JWKSetUnavailableException e) {
      throw unavailable(e);
    } catch (KeySourceException e) {
      throw new TokenRejectedException(
          "the token names a key that its issuer %s does not publish".formatted(rules.issuer()));
    } catch (JOSEException e) {
      throw new TokenRejectedException("the signature of the token cannot be checked");
    }
  }

  private static String names(Set<JWSAlgorithm> algorithms) {
    return String.join(", ", algorithms.stream().map(JWSAlgorithm::getName).sorted().toList());
  }

  private static TokenRejectedException expired(Instant at) {
    return new TokenRejectedException("the token is expired since " + at);
  }

  private AccessUnavailableException unavailable(Exception e) {
    return new AccessUnavailableException(
        "tokens cannot be checked: the issuer %s does not answer: %s"
            .formatted(rules.issuer(), e.getMessage()));
  }

  private DefaultJWTProcessor<SecurityContext> processor() {
    DefaultJWTProcessor<SecurityContext> ready = processor;
    return ready == null ? discover() : ready;
  }

  /** After a failure, callers are told at once for a while: they would wait for one another. */
  private synchronized DefaultJWTProcessor<SecurityContext> discover() {
    DefaultJWTProcessor<SecurityContext> ready = processor;
    if (ready != null) {
      return ready;
    }
    Failure last = failure;
    if (last != null && nanoTime.getAsLong() - last.nanos < RETRIED_AFTER.toNanos()) {
      throw new AccessUnavailableException(last.message);
    }
    try {
      ready = processor(keys());
      processor = ready;
      return ready;
    } catch (IOException | ParseException | IllegalArgumentException e) {
      AccessUnavailableException unavailable = unavailable(e);
      failure = new Failure(String.valueOf(unavailable.getMessage()), nanoTime.getAsLong());
      throw unavailable;
    }
  }

  /** Returns where the issuer publishes its keys. */
  private URI keys() throws IOException, ParseException {
    String issuer = rules.issuer().toString();
    String base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
    Map<String, Object> document =
        JSONObjectUtils.parse(
            retriever.retrieveResource(URI.create(base + DISCOVERY).toURL()).getContent());
    String named = JSONObjectUtils.getString(document, "issuer");
    if (!issuer.equals(named)) {
      throw new IllegalArgumentException(
          "it calls itself %s, and tokens would too: give the issuer so".formatted(named));
    }
    String keys = JSONObjectUtils.getString(document, "jwks_uri");
    if (keys == null) {
      throw new IllegalArgumentException("its configuration has no jwks_uri");
    }
    return TokenRules.parseKeysAddress(keys);
  }

  private DefaultJWTProcessor<SecurityContext> processor(URI keys) throws IOException {
    JWKSource<SecurityContext> source =
        JWKSourceBuilder.<SecurityContext>create(keys.toURL(), retriever)
            .cache(KEYS_READ_AGAIN.toMillis(), READ_MILLIS)
            .refreshAheadCache(false)
            .retrying(true)
            .outageTolerant(OUTAGE.toMillis())
            .build();
    DefaultJWTProcessor<SecurityContext> made = new DefaultJWTProcessor<>();
    made.setJWSKeySelector(new JWSVerificationKeySelector<>(ALGORITHMS, source));
    made.setJWSTypeVerifier(
        new DefaultJOSEObjectTypeVerifier<>(
            JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), null));
    DefaultJWTClaimsVerifier<SecurityContext> claims =
        new DefaultJWTClaimsVerifier<>(
            rules.audience(),
            new JWTClaimsSet.Builder().issuer(rules.issuer().toString()).build(),
            Set.of("exp", "sub"));
    claims.setMaxClockSkew(Math.toIntExact(CLOCK_SKEW.toSeconds()));
    made.setJWTClaimsSetVerifier(claims);
    return made;
  }

  private TokenHolder holder(JWTClaimsSet claims) {
    String subject = claims.getSubject();
    if (subject.isBlank()
        || subject.length() > SUBJECT_LENGTH_MAX
        || subject.chars().anyMatch(Character::isISOControl)) {
      throw new TokenRejectedException(
          "the subject of the token must have 1 to %s characters".formatted(SUBJECT_LENGTH_MAX));
    }
    Optional<String> owner = rules.ownerClaim().map(claim -> owner(claims, claim));
    List<Scope> scopes =
        scopes(claims).stream()
            .filter(scope -> owner.isEmpty() || scope.kind().isOfOwners())
            .toList();
    return new TokenHolder(
        subject,
        name(claims),
        scopes,
        owner,
        claims.getExpirationTime().toInstant().plus(CLOCK_SKEW));
  }

  private static String owner(JWTClaimsSet claims, String claim) {
    if (!(find(claims.getClaims(), claim) instanceof String owner)) {
      throw new TokenRejectedException(
          "the token has no claim %s with a text, which says whose claims it may see"
              .formatted(claim));
    }
    try {
      var unused = ClaimFilter.ofOwner(owner); // Checks the name.
    } catch (IllegalArgumentException e) {
      throw new TokenRejectedException(
          "the claim %s of the token: %s".formatted(claim, e.getMessage()));
    }
    return owner;
  }

  private static String name(JWTClaimsSet claims) {
    return NAMES.stream()
        .map(claims::getClaim)
        .flatMap(value -> value instanceof String name ? Stream.of(name) : Stream.empty())
        .filter(name -> name.length() <= KeyRequest.NAME_LENGTH_MAX)
        .filter(name -> name.chars().noneMatch(Character::isISOControl))
        .findFirst()
        .orElse("");
  }

  /** What a token permits; what is not for Mintmark is passed over. */
  private List<Scope> scopes(JWTClaimsSet claims) {
    List<Scope> scopes = new ArrayList<>();
    for (String text : texts(find(claims.getClaims(), rules.scopeClaim()))) {
      if (text.startsWith(rules.scopePrefix())) {
        Scope.tryParse(text.substring(rules.scopePrefix().length())).ifPresent(scopes::add);
      }
    }
    return scopes;
  }

  private static List<String> texts(@Nullable Object claim) {
    if (claim instanceof String text) {
      return Arrays.asList(text.split(" ", -1));
    }
    return claim instanceof Collection<?> list
        ? list.stream().map(String::valueOf).toList()
        : List.of();
  }

  /** Finds a claim by its name, or else by the names on the way to it. */
  private static @Nullable Object find(Map<?, ?> claims, String path) {
    if (claims.containsKey(path)) {
      return claims.get(path);
    }
    int point = path.indexOf('.');
    return point > 0 && claims.get(path.substring(0, point)) instanceof Map<?, ?> inner
        ? find(inner, path.substring(point + 1))
        : null;
  }
}
