package dev.mintmark.postgres.pool;

import dev.mintmark.Block;
import dev.mintmark.CidrBlock;
import dev.mintmark.CidrPrefixes;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The parts of equal size into which a range of a pool is divided. Numbers of places are counted
 * over a whole declared block, from 0: for addresses they are the numbers of the host, those that
 * are not granted included, so that parts are CIDR blocks.
 */
final class DensityParts {
  private static final int IPV4_BITS = 32;
  private static final int IPV6_BITS = 128;

  private final List<Part> parts = new ArrayList<>();
  private final int exponent;

  /** A range of places of a stored block. */
  record Range(StoredBlock block, long from, long to) {}

  /**
   * A part.
   *
   * @param size how many values it has, with or without a place
   */
  record Part(
      String declared,
      Optional<String> cidr,
      String first,
      String last,
      BigInteger size,
      List<Range> ranges) {}

  /** A stored block in its declared block: its first number, and how many it has. */
  private record Member(StoredBlock block, BigInteger base, BigInteger span, long lead) {
    static Member of(StoredBlock block, BigInteger base) {
      long lead =
          block.block() instanceof CidrBlock cidr && cidr.positionOf(cidr.network()).isEmpty()
              ? 1
              : 0;
      return new Member(block, base, BigInteger.valueOf(block.block().size() + 2 * lead), lead);
    }

    /** The position in the stored block of a number of the declared one, moved into the block. */
    long position(BigInteger number) {
      BigInteger position = number.subtract(base).subtract(BigInteger.valueOf(lead));
      return position
          .max(BigInteger.ZERO)
          .min(BigInteger.valueOf(block.block().size()))
          .longValueExact();
    }
  }

  /** A declared block and the wanted range of its numbers, both ends included. */
  private record Wanted(
      String declared, List<Member> members, BigInteger from, BigInteger to, BigInteger span) {
    BigInteger partCount(int exponent) {
      return to.shiftRight(exponent).subtract(from.shiftRight(exponent)).add(BigInteger.ONE);
    }
  }

  /**
   * Divides a range.
   *
   * @param from the first value; empty for that of the pool
   * @param to the last value; empty for that of the pool
   * @param partsMax how many parts there may be; a block has at least one
   * @throws IllegalArgumentException if the range is empty
   */
  DensityParts(PoolLayout layout, Optional<String> from, Optional<String> to, int partsMax) {
    List<Wanted> wanted = wanted(layout, from, to);
    int size = 0;
    while (size < IPV6_BITS && count(wanted, size).compareTo(BigInteger.valueOf(partsMax)) > 0) {
      size++;
    }
    this.exponent = size;
    wanted.forEach(this::divide);
  }

  BigInteger partSize() {
    return BigInteger.ONE.shiftLeft(exponent);
  }

  List<Part> parts() {
    return parts;
  }

  private static BigInteger count(List<Wanted> wanted, int exponent) {
    return wanted.stream()
        .map(block -> block.partCount(exponent))
        .reduce(BigInteger.ZERO, BigInteger::add);
  }

  private static List<Wanted> wanted(
      PoolLayout layout, Optional<String> from, Optional<String> to) {
    Map<String, List<Member>> blocks = new LinkedHashMap<>();
    for (StoredBlock block : layout.blocks()) {
      List<Member> members = blocks.computeIfAbsent(block.declared(), text -> new ArrayList<>());
      BigInteger base = members.isEmpty() ? BigInteger.ZERO : end(members);
      members.add(Member.of(block, base));
    }
    List<Wanted> wanted = new ArrayList<>();
    boolean begun = from.isEmpty();
    boolean ended = false;
    for (Map.Entry<String, List<Member>> block : blocks.entrySet()) {
      List<Member> members = block.getValue();
      Optional<BigInteger> start = from.flatMap(value -> numberOf(members, value));
      Optional<BigInteger> end = to.flatMap(value -> numberOf(members, value));
      begun |= start.isPresent();
      if (begun && !ended) {
        BigInteger last = end(members).subtract(BigInteger.ONE);
        wanted.add(
            new Wanted(
                block.getKey(),
                members,
                start.orElse(BigInteger.ZERO),
                end.orElse(last),
                end(members)));
      }
      ended |= end.isPresent();
    }
    boolean isReversed =
        wanted.isEmpty() || wanted.stream().anyMatch(one -> one.from.compareTo(one.to) > 0);
    if ((to.isPresent() || from.isPresent()) && isReversed) {
      throw new IllegalArgumentException(
          "from is \"%s\", to is \"%s\": expected a range in the order of the pool"
              .formatted(from.orElse(""), to.orElse("")));
    }
    return wanted;
  }

  private static BigInteger end(List<Member> members) {
    Member last = members.get(members.size() - 1);
    return last.base.add(last.span);
  }

  private static Optional<BigInteger> numberOf(List<Member> members, String value) {
    for (Member member : members) {
      OptionalLong position = member.block.block().positionOf(value);
      if (position.isPresent()) {
        return Optional.of(member.base.add(BigInteger.valueOf(member.lead + position.getAsLong())));
      }
    }
    return Optional.empty();
  }

  private void divide(Wanted block) {
    BigInteger last = block.to.shiftRight(exponent);
    for (BigInteger part = block.from.shiftRight(exponent);
        part.compareTo(last) <= 0;
        part = part.add(BigInteger.ONE)) {
      BigInteger from = part.shiftLeft(exponent);
      add(block, from, from.add(partSize()).min(block.span));
    }
  }

  private void add(Wanted block, BigInteger from, BigInteger to) {
    List<Range> ranges = new ArrayList<>();
    BigInteger size = BigInteger.ZERO;
    String first = "";
    String last = "";
    for (Member member : block.members) {
      long start = member.position(from);
      long end = member.position(to);
      if (start < end) {
        StoredBlock stored = member.block;
        ranges.add(new Range(stored, stored.placesBelow(start), stored.placesBelow(end)));
        first = size.signum() == 0 ? stored.block().valueAt(start) : first;
        last = stored.block().valueAt(end - 1);
        size = size.add(BigInteger.valueOf(end - start));
      }
    }
    if (size.signum() > 0) {
      parts.add(new Part(block.declared, cidr(block, from), first, last, size, ranges));
    }
  }

  private Optional<String> cidr(Wanted block, BigInteger from) {
    Block first = block.members.get(0).block.block();
    if (first instanceof CidrPrefixes prefixes) {
      return Optional.of(cidr(block, prefixes, from.longValueExact()));
    }
    if (!(first instanceof CidrBlock cidr)) {
      return Optional.empty();
    }
    if (partSize().compareTo(block.span) >= 0) {
      return Optional.of(block.declared);
    }
    int length = (cidr.isIpv4() ? IPV4_BITS : IPV6_BITS) - exponent;
    return Optional.of(network(block, from) + "/" + length);
  }

  private String cidr(Wanted block, CidrPrefixes prefixes, long from) {
    if (partSize().compareTo(block.span) >= 0) {
      return prefixes.block().toString();
    }
    String value = prefixes.valueAt(from);
    return value.substring(0, value.indexOf('/') + 1) + (prefixes.length() - exponent);
  }

  /** The address with a number, whether it is granted or not: it is never the last of a block. */
  private static String network(Wanted block, BigInteger number) {
    for (Member member : block.members) {
      BigInteger host = number.subtract(member.base);
      if (host.compareTo(member.span) < 0) {
        return host.signum() == 0
            ? ((CidrBlock) member.block.block()).network()
            : member.block.block().valueAt(host.longValueExact() - member.lead);
      }
    }
    throw new AssertionError("no address " + number + " in " + block.declared);
  }
}
