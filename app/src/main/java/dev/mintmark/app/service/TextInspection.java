package dev.mintmark.app.service;

import dev.mintmark.Block;
import dev.mintmark.Catalog;
import dev.mintmark.CidrPrefixes;
import dev.mintmark.IdScanner;
import dev.mintmark.postgres.pool.Claim;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.PoolUnavailableException;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.postgres.pool.UnknownPoolException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Finds the identifiers in a text with {@link IdScanner}, and the claims of those that are
 * addresses of a pool or in one of its prefixes. Nothing keeps the text.
 *
 * <p>Whoever sends a text chooses how many addresses it has, so an address costs no query unless a
 * pool has it, and then one for each such pool, however often it is in the text.
 */
public final class TextInspection {
  /** The most UTF-16 code units of a text. */
  public static final int TEXT_LENGTH_MAX = 1 << 20;

  /** The most different addresses that are looked up in pools. docs/http.md states it. */
  static final int ADDRESSES_MAX = 10_000;

  /** A value of a pool: an address, or the prefix that it is in. */
  private record Value(Pool pool, String text) {}

  /** The values of pools with each address that was asked for. */
  private final Map<String, List<Value>> valuesByAddress = new HashMap<>();

  /** The claims of each address that was found. */
  private final Map<String, List<Claim>> claimsByAddress = new HashMap<>();

  private final Supplier<List<Pool>> pools;
  private final Predicate<Claim> isShown;
  private final IdScanner scanner;
  private Optional<List<Pool>> known = Optional.empty();

  /**
   * An identifier in a text.
   *
   * @param claims the claims of the address, or of prefixes that it is in; empty if nobody holds
   *     them, or it is no address
   */
  public record Id(IdScanner.Found found, List<Claim> claims) {}

  /** As {@link IdScanner.Scan}. */
  public record Result(List<Id> ids, boolean isTruncated, Optional<IdScanner.Miss> nearestMiss) {}

  private TextInspection(Catalog catalog, Supplier<List<Pool>> pools, Predicate<Claim> isShown) {
    this.pools = pools;
    this.isShown = isShown;
    this.scanner =
        IdScanner.of(catalog, InstantSource.system(), address -> !valuesWith(address).isEmpty());
  }

  /** Finds the identifiers in a text, without addresses. */
  public static Result inspect(String text, Catalog catalog) {
    return new TextInspection(catalog, List::of, claim -> true).inspect(text);
  }

  /**
   * As above, and the addresses of pools. Addresses are left out while the database fails.
   *
   * @param isRead which pools are read, by their names
   * @param isShown which claims are shown
   */
  public static Result inspect(
      String text,
      Catalog catalog,
      Pools pools,
      Predicate<String> isRead,
      Predicate<Claim> isShown) {
    return new TextInspection(catalog, () -> opened(pools, isRead), isShown).inspect(text);
  }

  /**
   * Finds the identifiers.
   *
   * @throws IllegalArgumentException if the text is too long
   */
  private Result inspect(String text) {
    if (text.length() > TEXT_LENGTH_MAX) {
      throw new IllegalArgumentException(
          "text has %s characters: expected at most %s".formatted(text.length(), TEXT_LENGTH_MAX));
    }
    IdScanner.Scan scan = scanner.scan(text);
    List<Id> ids = new ArrayList<>();
    for (IdScanner.Found found : scan.found()) {
      ids.add(new Id(found, claims(found.text())));
    }
    return new Result(ids, scan.isTruncated(), scan.nearestMiss());
  }

  private List<Value> valuesWith(String address) {
    List<Value> looked = valuesByAddress.get(address);
    if (looked != null || valuesByAddress.size() >= ADDRESSES_MAX) {
      return looked == null ? List.of() : looked;
    }
    List<Pool> all = known.orElseGet(pools);
    known = Optional.of(all);
    List<Value> values = all.stream().flatMap(pool -> valueWith(pool, address).stream()).toList();
    valuesByAddress.put(address, values);
    return values;
  }

  /** Asks the blocks that are known, so not {@link Pool#positionOf}. */
  private static Optional<Value> valueWith(Pool pool, String address) {
    List<Block> blocks = pool.spec().blocks();
    String text =
        blocks.stream()
            .filter(CidrPrefixes.class::isInstance)
            .flatMap(block -> ((CidrPrefixes) block).prefixWith(address).stream())
            .findFirst()
            .orElse(address);
    return blocks.stream().anyMatch(block -> block.positionOf(text).isPresent())
        ? Optional.of(new Value(pool, text))
        : Optional.empty();
  }

  private List<Claim> claims(String address) {
    return claimsByAddress.computeIfAbsent(
        address,
        found ->
            valuesByAddress.getOrDefault(found, List.of()).stream()
                .flatMap(value -> claim(value).stream())
                .filter(isShown)
                .toList());
  }

  private static Optional<Claim> claim(Value value) {
    try {
      return value.pool.find(value.text);
    } catch (PoolUnavailableException | UnknownPoolException e) {
      return Optional.empty();
    }
  }

  private static List<Pool> opened(Pools pools, Predicate<String> isRead) {
    List<Pool> opened = new ArrayList<>();
    try {
      for (String name : pools.names().stream().filter(isRead).toList()) {
        opened.add(pools.open(name));
      }
    } catch (PoolUnavailableException | UnknownPoolException e) {
      // A text is read without a database too.
    }
    refresh(opened);
    return opened;
  }

  /** Reads the pools again that were read long ago: another instance may have added blocks. */
  private static void refresh(List<Pool> opened) {
    try {
      for (Pool pool : opened) {
        var unused = pool.gate();
      }
    } catch (PoolUnavailableException | UnknownPoolException e) {
      // Then the blocks are those that were known.
    }
  }
}
