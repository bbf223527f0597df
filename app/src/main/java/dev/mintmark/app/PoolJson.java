package dev.mintmark.app;

import dev.mintmark.Block;
import dev.mintmark.CidrBlock;
import dev.mintmark.DurationText;
import dev.mintmark.Ipv6Embedding;
import dev.mintmark.NumberRange;
import dev.mintmark.PoolSpec;
import dev.mintmark.postgres.pool.Claim;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.PoolMap;
import dev.mintmark.postgres.pool.PoolStats;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Pools and claims as JSON. The keys of a declared pool are those of {@code mintmark.yaml}; a token
 * is a string, since it can pass 2^53-1.
 */
final class PoolJson {
  private PoolJson() {}

  /** A pool and how it stands. */
  record Standing(
      String name,
      List<String> blocks,
      List<String> exclude,
      @Nullable String lease,
      String quarantine,
      @Nullable Ipv6 ipv6,
      BigInteger capacity,
      BigInteger free,
      BigInteger held,
      BigInteger quarantined) {

    static Standing of(Pool pool) {
      PoolSpec spec = pool.spec();
      PoolStats.BlockStats stats = pool.stats().total();
      return new Standing(
          spec.name(),
          spec.blocks().stream().map(Block::toString).toList(),
          spec.exclude().stream().map(Block::toString).toList(),
          spec.lease().map(DurationText::format).orElse(null),
          DurationText.format(spec.quarantine()),
          spec.ipv6().map(Ipv6::of).orElse(null),
          stats.capacity(),
          stats.free(),
          stats.held(),
          stats.quarantined());
    }
  }

  /** An IPv6 address for every claim: {@code {"prefix": "2001:db8:42::/96", "embed": "ipv4"}}. */
  record Ipv6(@Nullable String prefix, @Nullable String embed) {
    static Ipv6 of(Ipv6Embedding embedding) {
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
            default -> throw new IllegalArgumentException("embed: expected ipv4 or client");
          };
      return new Ipv6Embedding(CidrBlock.parse(prefix), source);
    }
  }

  /** A pool to be created. */
  record Declaration(
      @Nullable String name,
      @Nullable List<@Nullable String> blocks,
      @Nullable String range,
      @Nullable List<@Nullable String> exclude,
      @Nullable String lease,
      @Nullable String quarantine,
      @Nullable Ipv6 ipv6) {

    PoolSpec toSpec() {
      if (name == null) {
        throw new IllegalArgumentException("name is missing");
      }
      if ((blocks == null) == (range == null)) {
        throw new IllegalArgumentException("expected either blocks or range");
      }
      return PoolSpec.of(
              name, range == null ? parseAll("blocks", blocks) : List.of(NumberRange.parse(range)))
          .withExclude(parseAll("exclude", exclude))
          .withLease(
              lease == null || lease.equals("none")
                  ? Optional.empty()
                  : Optional.of(DurationText.parse(lease)))
          .withQuarantine(quarantine == null ? Duration.ZERO : DurationText.parse(quarantine))
          .withIpv6(Optional.ofNullable(ipv6).map(Ipv6::toEmbedding));
    }

    private static List<Block> parseAll(String key, @Nullable List<@Nullable String> texts) {
      if (texts == null) {
        return List.of();
      }
      List<Block> blocks = new ArrayList<>();
      for (String text : texts) {
        if (text == null) {
          throw new IllegalArgumentException(key + ": null is no block");
        }
        blocks.add(Block.parse(text));
      }
      return blocks;
    }
  }

  /** A value that is held. */
  record Held(
      String pool,
      String value,
      String client,
      @Nullable String owner,
      String token,
      Instant claimedAt,
      @Nullable Instant expiresAt,
      @Nullable String ipv6) {

    static Held of(Claim claim) {
      return new Held(
          claim.pool(),
          claim.value(),
          claim.client(),
          claim.owner().orElse(null),
          Long.toString(claim.token()),
          claim.claimedAt(),
          claim.expiresAt().orElse(null),
          claim.ipv6().orElse(null));
    }
  }

  /** A page of claims; {@code next} goes into {@code after} for the next one, null at the end. */
  record Page(List<Held> claims, @Nullable String next) {
    static Page of(List<Claim> claims, int limit) {
      boolean more = claims.size() == limit;
      return new Page(
          claims.stream().map(Held::of).toList(),
          more ? claims.get(claims.size() - 1).value() : null);
    }
  }

  /** The state of every value in a stretch of a pool, one letter each. */
  record Map(String pool, long from, int count, long total, List<Stretch> blocks, String states) {
    /** The part of a block that is shown: its values follow {@code first} without a gap. */
    record Stretch(String block, long from, int count, String first) {}

    static Map of(Pool pool, PoolMap map) {
      return new Map(
          pool.name(),
          map.from(),
          map.states().length(),
          map.total(),
          map.stretches().stream()
              .map(s -> new Stretch(s.block().toString(), s.from(), s.count(), s.first()))
              .toList(),
          map.states());
    }
  }
}
