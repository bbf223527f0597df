package dev.mintmark.app.cli.pool;

import static java.util.stream.Collectors.joining;

import dev.mintmark.app.view.BlockUsageJson;
import dev.mintmark.app.view.ClaimJson;
import dev.mintmark.app.view.ClaimNoteJson;
import dev.mintmark.app.view.HistoryEntryJson;
import dev.mintmark.app.view.PoolChangeJson;
import dev.mintmark.app.view.PoolJson;
import dev.mintmark.app.view.UsageSampleJson;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is said of pools to people: one line each. */
final class PoolTexts {
  private static final int BAR_LENGTH = 20;

  private PoolTexts() {}

  static String describe(PoolJson pool) {
    return "%s  %s  capacity=%s free=%s held=%s quarantined=%s%s%s%s"
        .formatted(
            pool.name(),
            blocks(pool),
            pool.capacity(),
            pool.free(),
            pool.held(),
            pool.quarantined(),
            draining(pool.draining()),
            pool.stoppedAt() == null ? "" : " stopped since " + pool.stoppedAt(),
            pool.database() == null ? "" : " database=" + pool.database());
  }

  /** Returns the blocks of a pool; or which pool they come from, if they do. */
  static String blocks(PoolJson pool) {
    return pool.blocksFrom() == null
        ? String.join(" ", Stream.concat(pool.blocks().stream(), pool.lists().stream()).toList())
        : "from " + pool.blocksFrom();
  }

  /** Returns the settings of a pool in the words of {@code mintmark pool create}. */
  static String settings(PoolJson pool) {
    StringBuilder text = new StringBuilder("order " + pool.order());
    text.append(", ").append(pool.perClient()).append(" a client");
    if (pool.perOwner() != null) {
      text.append(", ").append(pool.perOwner()).append(" an owner");
    }
    text.append(pool.sticky() ? ", sticky" : ", not sticky");
    text.append(", lease ").append(pool.lease() == null ? "none" : pool.lease());
    text.append(", quarantine ").append(pool.quarantine());
    text.append(", history ").append(pool.history() == null ? "none" : pool.history());
    text.append(", after-failover ").append(pool.afterFailover());
    if (pool.keepFree() != null) {
      text.append(", keep-free ").append(pool.keepFree());
    }
    text.append(", thresholds ");
    text.append(
        pool.thresholds().isEmpty()
            ? "none"
            : pool.thresholds().stream().map(one -> one + "%").collect(joining(" ")));
    if (pool.ipv6() != null) {
      text.append(", ipv6 ").append(pool.ipv6().prefix()).append(" embeds ");
      text.append(pool.ipv6().embed());
    }
    if (!pool.exclude().isEmpty()) {
      text.append(", ").append(exclusions(pool.exclude()));
    }
    return text.toString();
  }

  /** Returns what a pool excludes. */
  static String exclusions(List<String> exclude) {
    return exclude.isEmpty() ? "excludes nothing" : "excludes " + String.join(" ", exclude);
  }

  /** Returns a line for each block, with its counts and a bar. */
  static List<String> utilisation(PoolJson pool) {
    int width = pool.utilisation().stream().mapToInt(b -> b.block().length()).max().orElse(0);
    return pool.utilisation().stream().map(block -> describe(block, width)).toList();
  }

  private static String describe(BlockUsageJson block, int width) {
    return "  %s  %s  capacity=%s free=%s held=%s quarantined=%s%s"
        .formatted(
            block.block() + " ".repeat(width - block.block().length()),
            bar(block),
            block.capacity(),
            block.free(),
            block.held(),
            block.quarantined(),
            block.drains() ? " drained draining=" + block.draining() : "");
  }

  static String bar(BlockUsageJson block) {
    return bar(block.held(), block.quarantined(), block.capacity());
  }

  static String bar(UsageSampleJson sample) {
    return bar(sample.held(), sample.quarantined(), sample.capacity());
  }

  static String describe(UsageSampleJson sample) {
    return "%s  %s  capacity=%s free=%s held=%s quarantined=%s"
        .formatted(
            sample.at(),
            bar(sample),
            sample.capacity(),
            sample.free(),
            sample.held(),
            sample.quarantined());
  }

  /** Returns a line for each setting that changes. */
  static Stream<String> changes(PoolChangeJson change) {
    return change.changes().stream()
        .map(
            one ->
                "%s  %s -> %s  %s"
                    .formatted(one.setting(), one.before(), one.after(), one.effect()));
  }

  /** {@code [####~~......] 33%}: held, quarantined, others; rounded up, so none disappears. */
  private static String bar(BigInteger held, BigInteger quarantined, BigInteger capacity) {
    int heldLength = share(held, capacity, BAR_LENGTH);
    int quarantinedLength =
        Math.min(share(quarantined, capacity, BAR_LENGTH), BAR_LENGTH - heldLength);
    return "[%s%s%s] %3d%%"
        .formatted(
            "#".repeat(heldLength),
            "~".repeat(quarantinedLength),
            ".".repeat(BAR_LENGTH - heldLength - quarantinedLength),
            share(held, capacity, 100));
  }

  /** Rounded up, but below the whole. */
  private static int share(BigInteger part, BigInteger whole, int of) {
    if (whole.signum() == 0) {
      return 0;
    }
    int share =
        new BigDecimal(part.multiply(BigInteger.valueOf(of)))
            .divide(new BigDecimal(whole), 0, RoundingMode.UP)
            .intValueExact();
    return part.equals(whole) ? share : Math.min(share, of - 1);
  }

  /** Returns what is written about a claim, after two spaces; empty if nothing is, or was read. */
  static String describe(@Nullable ClaimNoteJson note) {
    if (note == null) {
      return "";
    }
    StringBuilder text = new StringBuilder();
    note.labels().forEach((key, value) -> text.append("  ").append(key).append(':').append(value));
    if (note.dnsName() != null) {
      text.append("  dns ").append(note.dnsName());
    }
    if (note.description() != null) {
      text.append("  \"").append(note.description()).append('"');
    }
    return text.toString();
  }

  private static String draining(BigInteger draining) {
    return draining.signum() == 0 ? "" : " draining=" + draining;
  }

  static String describe(ClaimJson claim) {
    return claim.value()
        + "  "
        + claim.client()
        + (claim.slot() == 0 ? "" : "  slot " + claim.slot())
        + (claim.owner() == null ? "" : "  owner " + claim.owner())
        + "  since "
        + claim.claimedAt()
        + (claim.expiresAt() == null ? "" : "  until " + claim.expiresAt())
        + (claim.ipv6() == null ? "" : "  ipv6 " + claim.ipv6())
        + "  token "
        + claim.token()
        + describe(claim.note());
  }

  static String describe(HistoryEntryJson claim) {
    return claim.value()
        + "  "
        + claim.client()
        + (claim.slot() == 0 ? "" : "  slot " + claim.slot())
        + (claim.owner() == null ? "" : "  owner " + claim.owner())
        + "  from "
        + claim.claimedAt()
        + (claim.endedAt() == null ? "  held" : "  to " + claim.endedAt() + " " + claim.ending())
        + "  token "
        + claim.token()
        + describe(claim.note());
  }
}
