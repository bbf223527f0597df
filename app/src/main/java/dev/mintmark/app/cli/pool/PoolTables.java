package dev.mintmark.app.cli.pool;

import static dev.mintmark.app.cli.common.Table.Column.identifier;
import static dev.mintmark.app.cli.common.Table.Column.number;
import static dev.mintmark.app.cli.common.Table.Column.text;

import dev.mintmark.app.cli.common.Amounts;
import dev.mintmark.app.cli.common.Table;
import dev.mintmark.app.view.BlockUsageJson;
import dev.mintmark.app.view.ClaimJson;
import dev.mintmark.app.view.HistoryEntryJson;
import dev.mintmark.app.view.PoolChangeJson;
import dev.mintmark.app.view.PoolJson;
import dev.mintmark.app.view.PoolUsageJson;
import dev.mintmark.app.view.UsageSampleJson;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Lists of pools, of their blocks and of their claims as tables. */
final class PoolTables {
  private PoolTables() {}

  static Table pools(List<PoolJson> pools) {
    Table table =
        Table.of(
            identifier("pool"),
            text("blocks"),
            number("capacity"),
            number("free"),
            number("held"),
            number("quarantined"),
            number("draining"),
            identifier("stopped since"),
            identifier("database"));
    for (PoolJson pool : pools) {
      table.add(
          pool.name(),
          PoolTexts.blocks(pool),
          count(pool.capacity()),
          count(pool.free()),
          count(pool.held()),
          count(pool.quarantined()),
          pool.draining().signum() == 0 ? "" : count(pool.draining()),
          orEmpty(pool.stoppedAt()),
          orEmpty(pool.database()));
    }
    return table;
  }

  static Table blocks(PoolJson pool) {
    Table table =
        Table.of(
            identifier("block"),
            identifier("use"),
            number("capacity"),
            number("free"),
            number("held"),
            number("quarantined"),
            identifier("state"));
    for (BlockUsageJson block : pool.utilisation()) {
      table.add(
          block.block(),
          PoolTexts.bar(block),
          count(block.capacity()),
          count(block.free()),
          count(block.held()),
          count(block.quarantined()),
          block.drains() ? "drained, draining " + count(block.draining()) : "");
    }
    return table;
  }

  static Table claims(List<ClaimJson> claims) {
    Table table =
        Table.of(
            identifier("value"),
            text("client"),
            number("slot"),
            text("owner"),
            identifier("since"),
            identifier("until"),
            identifier("ipv6"),
            number("token"));
    for (ClaimJson claim : claims) {
      table.add(
          claim.value(),
          claim.client(),
          slot(claim.slot()),
          orEmpty(claim.owner()),
          claim.claimedAt(),
          orEmpty(claim.expiresAt()),
          orEmpty(claim.ipv6()),
          claim.token());
    }
    return table;
  }

  static Table history(List<HistoryEntryJson> claims) {
    Table table =
        Table.of(
            identifier("value"),
            text("client"),
            number("slot"),
            text("owner"),
            identifier("from"),
            identifier("to"),
            identifier("ending"),
            number("token"));
    for (HistoryEntryJson claim : claims) {
      table.add(
          claim.value(),
          claim.client(),
          slot(claim.slot()),
          orEmpty(claim.owner()),
          claim.claimedAt(),
          orEmpty(claim.endedAt()),
          claim.ending() == null ? "held" : claim.ending(),
          claim.token());
    }
    return table;
  }

  static Table changes(PoolChangeJson change) {
    Table table =
        Table.of(identifier("setting"), identifier("before"), identifier("after"), text("effect"));
    change
        .changes()
        .forEach(one -> table.add(one.setting(), one.before(), one.after(), one.effect()));
    return table;
  }

  static Table usage(PoolUsageJson usage) {
    Table table =
        Table.of(
            identifier("from"),
            identifier("use"),
            number("held"),
            number("quarantined"),
            number("free"),
            number("capacity"));
    for (UsageSampleJson sample : usage.samples()) {
      table.add(
          sample.at(),
          PoolTexts.bar(sample),
          count(sample.held()),
          count(sample.quarantined()),
          count(sample.free()),
          count(sample.capacity()));
    }
    return table;
  }

  static Table values(List<String> values) {
    Table table = Table.of(identifier("value"));
    values.forEach(table::add);
    return table;
  }

  static Table quarantined(Map<String, Instant> values) {
    Table table = Table.of(identifier("value"), identifier("quarantined until"));
    values.forEach(table::add);
    return table;
  }

  private static String count(BigInteger count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** The first slot is that of a client with one value, so it is not shown. */
  private static String slot(int slot) {
    return slot == 0 ? "" : Amounts.number(slot);
  }

  private static String orEmpty(@Nullable Object value) {
    return value == null ? "" : value.toString();
  }
}
