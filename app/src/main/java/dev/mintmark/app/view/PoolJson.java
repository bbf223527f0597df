package dev.mintmark.app.view;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.mintmark.Block;
import dev.mintmark.CidrBlock;
import dev.mintmark.DurationText;
import dev.mintmark.Ipv6Embedding;
import dev.mintmark.NumberRange;
import dev.mintmark.NumberRuns;
import dev.mintmark.PoolSpec;
import dev.mintmark.Quoted;
import dev.mintmark.ValueList;
import dev.mintmark.app.service.ClaimSearch;
import dev.mintmark.app.service.QuarantineRequest;
import dev.mintmark.postgres.pool.Claim;
import dev.mintmark.postgres.pool.PastClaim;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.PoolMap;
import dev.mintmark.postgres.pool.PoolStats;
import dev.mintmark.postgres.pool.PoolStats.BlockStats;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.postgres.pool.UnknownPoolException;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Pools and claims as JSON. The keys of a declared pool are those of {@code mintmark.yaml}, in
 * snake case; a token is a string, since it can pass 2^53-1. Counts of values are exact numbers,
 * however many digits they have.
 */
public final class PoolJson {
  /** What a setting says that is not there. */
  private static final String NONE = "none";

  private PoolJson() {}

  /** A pool as it is declared and how it stands: as a whole, and by block. */
  public record Standing(
      String name,
      List<String> blocks,
      List<String> lists,
      List<String> exclude,
      String order,
      int perClient,
      @Nullable Integer perOwner,
      boolean sticky,
      @Nullable String lease,
      String quarantine,
      @Nullable String history,
      @Nullable Ipv6 ipv6,
      BigInteger capacity,
      BigInteger free,
      BigInteger neverIssued,
      BigInteger held,
      BigInteger quarantined,
      BigInteger draining,
      List<BlockStanding> utilisation) {

    public static Standing of(Pool pool) {
      PoolStats stats = pool.stats();
      BlockStats total = stats.total();
      PoolSpec spec = pool.spec();
      return new Standing(
          spec.name(),
          spec.blocks().stream().filter(b -> !isList(b)).map(Block::toString).toList(),
          spec.blocks().stream().filter(Standing::isList).map(Block::toString).toList(),
          spec.exclude().stream().map(Block::toString).toList(),
          label(spec.order()),
          spec.perClient(),
          spec.perOwner().orElse(null),
          spec.sticky(),
          spec.lease().map(DurationText::format).orElse(null),
          DurationText.format(spec.quarantine()),
          spec.history().map(DurationText::format).orElse(null),
          spec.ipv6().map(Ipv6::of).orElse(null),
          total.capacity(),
          total.free(),
          total.neverIssued(),
          total.held(),
          total.quarantined(),
          total.draining(),
          stats.blocks().stream().map(BlockStanding::of).toList());
    }

    /** All pools; one that is deleted meanwhile is left out. */
    public static List<Standing> all(Pools pools) {
      return pools.names().stream().flatMap(name -> find(pools, name).stream()).toList();
    }

    /** What was open of a pool may be gone, and another be there under its name. */
    private static Optional<Standing> find(Pools pools, String name) {
      try {
        return Optional.of(of(pools.open(name)));
      } catch (UnknownPoolException forgotten) {
        try {
          return Optional.of(of(pools.open(name)));
        } catch (UnknownPoolException deleted) {
          return Optional.empty();
        }
      }
    }

    private static boolean isList(Block block) {
      return block instanceof ValueList;
    }
  }

  /** How one block of a pool stands; {@code drains} says whether it hands nothing out any more. */
  public record BlockStanding(
      String block,
      boolean drains,
      BigInteger capacity,
      BigInteger free,
      BigInteger neverIssued,
      BigInteger held,
      BigInteger quarantined,
      BigInteger draining) {
    public static BlockStanding of(BlockStats stats) {
      return new BlockStanding(
          stats.block(),
          stats.drains(),
          stats.capacity(),
          stats.free(),
          stats.neverIssued(),
          stats.held(),
          stats.quarantined(),
          stats.draining());
    }
  }

  /** An IPv6 address for every claim: {@code {"prefix": "2001:db8:42::/96", "embed": "ipv4"}}. */
  public record Ipv6(@Nullable String prefix, @Nullable String embed) {
    public static Ipv6 of(Ipv6Embedding embedding) {
      return new Ipv6(
          embedding.prefix().toString(), embedding.source().name().toLowerCase(Locale.ROOT));
    }

    Ipv6Embedding toEmbedding() {
      if (prefix == null || embed == null) {
        throw new IllegalArgumentException("ipv6: expected prefix and embed");
      }
      Ipv6Embedding.Source source =
          switch (embed) {
            case "ipv4" -> Ipv6Embedding.Source.IPV4;
            case "client" -> Ipv6Embedding.Source.CLIENT;
            default ->
                throw new IllegalArgumentException(
                    "embed is " + Quoted.of(embed) + ": expected ipv4 or client");
          };
      return new Ipv6Embedding(CidrBlock.parse(prefix), source);
    }
  }

  /** Values that stand one by one. */
  record ListedValues(@Nullable String name, @Nullable List<@Nullable String> values) {
    ValueList toList() {
      if (name == null || values == null) {
        throw new IllegalArgumentException("list: expected name and values");
      }
      return ValueList.of(name, withoutNull("values", values));
    }
  }

  /** A pool to be created: its values, and its settings where they are not the usual ones. */
  public record Declaration(
      @Nullable String name,
      @Nullable List<@Nullable String> blocks,
      @Nullable String range,
      @Nullable List<@Nullable ListedValues> lists,
      @Nullable List<@Nullable String> exclude,
      @Nullable String order,
      @Nullable Integer perClient,
      @Nullable Integer perOwner,
      @Nullable Boolean sticky,
      @Nullable String lease,
      @Nullable String quarantine,
      @Nullable String history,
      @Nullable Ipv6 ipv6) {

    public PoolSpec toSpec() {
      boolean one = blocks != null ? range == null && lists == null : range == null ^ lists == null;
      if (!one) {
        throw new IllegalArgumentException("expected one of blocks, range and lists");
      }
      if (blocks != null) {
        return toSpec(parseAll("blocks", blocks));
      }
      return toSpec(range == null ? parseLists(lists) : List.of(parseRange(range)));
    }

    /** The pool with the given blocks, whatever it says about them itself. */
    public PoolSpec toSpec(List<Block> values) {
      if (name == null) {
        throw new IllegalArgumentException("name is missing");
      }
      PoolSpec pool = PoolSpec.of(name, values);
      return pool.withExclude(parseAll("exclude", exclude))
          .withOrder(order == null ? pool.order() : parseOrder(order))
          .withPerClient(perClient == null ? pool.perClient() : perClient)
          .withPerOwner(Optional.ofNullable(perOwner))
          .withSticky(sticky == null ? pool.sticky() : sticky)
          .withLease(durationOr(pool.lease(), lease))
          .withQuarantine(quarantine == null ? pool.quarantine() : DurationText.parse(quarantine))
          .withHistory(durationOr(pool.history(), history))
          .withIpv6(Optional.ofNullable(ipv6).map(Ipv6::toEmbedding));
    }

    private static List<Block> parseLists(@Nullable List<@Nullable ListedValues> lists) {
      return lists == null
          ? List.of()
          : withoutNull("lists", lists).stream().<Block>map(ListedValues::toList).toList();
    }

    private static Block parseRange(String text) {
      return text.contains(" by ") ? NumberRuns.parse(text) : NumberRange.parse(text);
    }

    private static Optional<Duration> durationOr(
        Optional<Duration> usual, @Nullable String declared) {
      if (declared == null) {
        return usual;
      }
      return declared.equals(NONE) ? Optional.empty() : Optional.of(DurationText.parse(declared));
    }
  }

  /** A block to be added: its text, or a list; and what of it is not to be handed out. */
  public record Addition(
      @Nullable String block,
      @Nullable ListedValues list,
      @Nullable List<@Nullable String> exclude) {
    public Block toBlock() {
      if ((block == null) == (list == null)) {
        throw new IllegalArgumentException("expected either block or list");
      }
      return list == null ? Block.parse(String.valueOf(block)) : list.toList();
    }

    public List<Block> toExclude() {
      return parseAll("exclude", exclude);
    }
  }

  /** A value that is held. */
  public record Held(
      String pool,
      String value,
      String client,
      int slot,
      @Nullable String owner,
      String token,
      Instant claimedAt,
      @Nullable Instant expiresAt,
      @Nullable Instant previousEnd,
      @Nullable String ipv6) {

    public static Held of(Claim claim) {
      return new Held(
          claim.pool(),
          claim.value(),
          claim.client(),
          claim.slot(),
          claim.owner().orElse(null),
          Long.toString(claim.token()),
          claim.claimedAt(),
          claim.expiresAt().orElse(null),
          claim.previousEnd().orElse(null),
          claim.ipv6().orElse(null));
    }
  }

  /** Several values that are held, one for each slot that was asked for. */
  public record AllHeld(List<Held> claims) {
    public static AllHeld of(List<Claim> claims) {
      return new AllHeld(claims.stream().map(Held::of).toList());
    }
  }

  /** A page of claims; {@code next} goes into {@code after} for the next one, null at the end. */
  public record Page(List<Held> claims, @Nullable String next) {
    public static Page of(ClaimSearch.Found found) {
      return new Page(found.claims().stream().map(Held::of).toList(), found.next().orElse(null));
    }
  }

  /** A claim, ended or not: {@code ending} is released, expired, or null while it is held. */
  public record Told(
      String pool,
      String value,
      String client,
      int slot,
      @Nullable String owner,
      String token,
      Instant claimedAt,
      @Nullable Instant endedAt,
      @Nullable String ending) {
    public static Told of(PastClaim claim) {
      return new Told(
          claim.pool(),
          claim.value(),
          claim.client(),
          claim.slot(),
          claim.owner().orElse(null),
          Long.toString(claim.token()),
          claim.claimedAt(),
          claim.endedAt().orElse(null),
          claim.ending().map(PoolJson::label).orElse(null));
    }
  }

  /** A page of a history; {@code next} goes into {@code before} for the next, null at the end. */
  public record History(List<Told> history, @Nullable String next) {
    public static History of(List<PastClaim> claims, int limit) {
      boolean more = claims.size() == limit;
      return new History(
          claims.stream().map(Told::of).toList(),
          more ? Long.toString(claims.get(claims.size() - 1).token()) : null);
    }
  }

  /** How many ended claims were forgotten. */
  public record Pruned(long pruned) {}

  /** What is to rest, and for how long. */
  public record Rest(
      @Nullable List<@Nullable String> values,
      @Nullable Boolean all,
      @JsonProperty("for") @Nullable String length) {
    public QuarantineRequest toRequest() {
      return QuarantineRequest.of(
          values == null ? List.of() : withoutNull("values", values),
          Boolean.TRUE.equals(all),
          Optional.ofNullable(length));
    }
  }

  /** What rests now, each until when; and what does not, since somebody holds it. */
  public record Rested(List<RestingValue> resting, List<String> held) {
    public static Rested of(QuarantineRequest.Outcome outcome) {
      return new Rested(
          outcome.resting().entrySet().stream()
              .map(entry -> new RestingValue(entry.getKey(), entry.getValue()))
              .toList(),
          outcome.held());
    }
  }

  /** A value that rests. */
  record RestingValue(String value, Instant until) {}

  /** The state of every value in a stretch of a pool, one letter each. */
  public record Map(
      String pool, long from, int count, long total, List<Stretch> blocks, String states) {
    /**
     * The part of a block that is shown: its values follow {@code first} without a gap, unless they
     * are those of a list, which stand in {@code values}.
     */
    record Stretch(
        String block, long from, int count, String first, @Nullable List<String> values) {
      static Stretch of(PoolMap.Stretch stretch) {
        return new Stretch(
            stretch.block().toString(),
            stretch.from(),
            stretch.count(),
            stretch.first(),
            stretch.block() instanceof ValueList list ? listed(list, stretch) : null);
      }

      private static List<String> listed(ValueList list, PoolMap.Stretch stretch) {
        int first = (int) list.positionOf(stretch.first()).orElseThrow();
        return list.values().subList(first, first + stretch.count());
      }
    }

    public static Map of(Pool pool, PoolMap map) {
      return new Map(
          pool.name(),
          map.from(),
          map.states().length(),
          map.total(),
          map.stretches().stream().map(Stretch::of).toList(),
          map.states());
    }
  }

  private static PoolSpec.Order parseOrder(String label) {
    return switch (label) {
      case "random" -> PoolSpec.Order.RANDOM;
      case "ascending" -> PoolSpec.Order.ASCENDING;
      default ->
          throw new IllegalArgumentException(
              "order is " + Quoted.of(label) + ": expected random or ascending");
    };
  }

  private static List<Block> parseAll(String key, @Nullable List<@Nullable String> texts) {
    return texts == null ? List.of() : withoutNull(key, texts).stream().map(Block::parse).toList();
  }

  private static <T> List<T> withoutNull(String key, List<@Nullable T> elements) {
    List<T> all = new ArrayList<>();
    for (T element : elements) {
      if (element == null) {
        throw new IllegalArgumentException(key + ": an element is null");
      }
      all.add(element);
    }
    return all;
  }

  private static String label(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
