package dev.mintmark.verify.bench;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.NoArgGenerator;
import com.github.f4b6a3.ulid.UlidCreator;
import com.github.f4b6a3.uuid.UuidCreator;
import dev.mintmark.Mint;
import dev.mintmark.Order;
import dev.mintmark.Ulid;
import dev.mintmark.Uuids;
import io.azam.ulidj.MonotonicULID;
import io.github.robsonkades.uuidv7.UUIDv7;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Minting: one class for an operation, one method for whoever can do it. */
public final class MintBenchmarks {
  private MintBenchmarks() {}

  @State(Scope.Benchmark)
  public static class UuidV4 {
    private final NoArgGenerator jug = Generators.randomBasedGenerator();

    @Benchmark
    public UUID mintmark() {
      return Uuids.mintV4();
    }

    @Benchmark
    public UUID jdk() {
      return UUID.randomUUID();
    }

    @Benchmark
    public UUID uuidCreator() {
      return UuidCreator.getRandomBased();
    }

    @Benchmark
    public UUID jug() {
      return jug.generate();
    }
  }

  @State(Scope.Benchmark)
  public static class UuidV7 {
    private final NoArgGenerator jug = Generators.timeBasedEpochRandomGenerator();

    @Benchmark
    public UUID mintmark() {
      return Uuids.mintV7();
    }

    /** Ascending, behind a lock: it has nothing without. */
    @Benchmark
    public UUID uuidCreator() {
      return UuidCreator.getTimeOrderedEpoch();
    }

    @Benchmark
    public UUID jug() {
      return jug.generate();
    }

    @Benchmark
    public UUID robsonkades() {
      return UUIDv7.secureRandomUUID();
    }
  }

  /** Each greater than the one before, with fresh random bits behind a counter. */
  @State(Scope.Benchmark)
  public static class UuidV7Ascending {
    private final Mint<UUID> mint = Mint.ofUuidsV7(Order.ASCENDING);

    @Benchmark
    public UUID mintmark() {
      return mint.mint();
    }

    @Benchmark
    public UUID uuidCreator() {
      return UuidCreator.getTimeOrderedEpoch();
    }
  }

  /** Each greater than the one before of the same thread. */
  @State(Scope.Benchmark)
  public static class UuidV7PerThread {
    private final Mint<UUID> mint = Mint.ofUuidsV7(Order.PER_THREAD);

    @Benchmark
    public UUID mintmark() {
      return mint.mint();
    }

    /** Not cryptographically strong. */
    @Benchmark
    public UUID robsonkadesNotSecure() {
      return UUIDv7.randomUUID();
    }
  }

  /** What an order across threads needs at least. */
  @State(Scope.Benchmark)
  public static class SharedAddition {
    private final AtomicLong count = new AtomicLong();

    @Benchmark
    public long alone() {
      return count.getAndIncrement();
    }

    @Benchmark
    public long afterTheClock() {
      return System.currentTimeMillis() + count.getAndIncrement();
    }
  }

  /** Each is the one before and a step: a random one with us, one with the others. */
  @State(Scope.Benchmark)
  public static class UuidV7Spec {
    private final Mint<UUID> mint = Mint.ofUuidsV7(Order.SPEC);
    private final NoArgGenerator jug = Generators.timeBasedEpochGenerator();

    @Benchmark
    public UUID mintmark() {
      return mint.mint();
    }

    @Benchmark
    public UUID uuidCreatorPlus1() {
      return UuidCreator.getTimeOrderedEpochPlus1();
    }

    @Benchmark
    public UUID jugPlus1() {
      return jug.generate();
    }
  }

  @State(Scope.Benchmark)
  public static class UuidV7Bulk {
    private static final int COUNT = 1024;

    private final Mint<UUID> mint = Mint.ofUuidsV7(Order.RANDOM);

    @Benchmark
    @OperationsPerInvocation(COUNT)
    public List<UUID> mintmark() {
      return mint.mint(COUNT);
    }

    /** Not cryptographically strong, and two longs each instead of a UUID. */
    @Benchmark
    @OperationsPerInvocation(COUNT)
    public long[] robsonkadesNotSecure() {
      long[] ids = new long[2 * COUNT];
      UUIDv7.fill(ids, 0, COUNT);
      return ids;
    }

    @Benchmark
    @OperationsPerInvocation(COUNT)
    public UUID[] uuidCreator() {
      UUID[] ids = new UUID[COUNT];
      for (int i = 0; i < COUNT; i++) {
        ids[i] = UuidCreator.getTimeOrderedEpoch();
      }
      return ids;
    }
  }

  @State(Scope.Benchmark)
  public static class UlidRandom {
    private final de.huxhorn.sulky.ulid.ULID sulky = new de.huxhorn.sulky.ulid.ULID();

    @Benchmark
    public Ulid mintmark() {
      return Ulid.mint();
    }

    @Benchmark
    public com.github.f4b6a3.ulid.Ulid ulidCreator() {
      return UlidCreator.getUlid();
    }

    @Benchmark
    public de.huxhorn.sulky.ulid.ULID.Value sulky() {
      return sulky.nextValue();
    }

    @Benchmark
    public io.azam.ulidj.ULID ulidj() {
      return io.azam.ulidj.ULID.randomULID();
    }
  }

  @State(Scope.Benchmark)
  public static class UlidText {
    private final de.huxhorn.sulky.ulid.ULID sulky = new de.huxhorn.sulky.ulid.ULID();

    @Benchmark
    public String mintmark() {
      return Ulid.mint().toString();
    }

    @Benchmark
    public String ulidCreator() {
      return UlidCreator.getUlid().toString();
    }

    @Benchmark
    public String sulky() {
      return sulky.nextULID();
    }

    @Benchmark
    public String ulidj() {
      return io.azam.ulidj.ULID.random();
    }
  }

  @State(Scope.Benchmark)
  public static class UlidSpec {
    private final Mint<Ulid> mint = Mint.ofUlids(Order.SPEC);
    private final de.huxhorn.sulky.ulid.ULID sulky = new de.huxhorn.sulky.ulid.ULID();
    private final MonotonicULID ulidj = new MonotonicULID();
    private de.huxhorn.sulky.ulid.ULID.Value last = sulky.nextValue();

    @Benchmark
    public Ulid mintmark() {
      return mint.mint();
    }

    @Benchmark
    public com.github.f4b6a3.ulid.Ulid ulidCreator() {
      return UlidCreator.getMonotonicUlid();
    }

    @Benchmark
    public synchronized de.huxhorn.sulky.ulid.ULID.Value sulky() {
      last = sulky.nextMonotonicValue(last);
      return last;
    }

    @Benchmark
    public io.azam.ulidj.ULID ulidj() {
      return ulidj.generateULID();
    }
  }

  @State(Scope.Benchmark)
  public static class UlidAscending {
    private final Mint<Ulid> mint = Ulid.ascending();

    @Benchmark
    public Ulid mintmark() {
      return mint.mint();
    }

    /** Guessable: the one before plus one. No other ULID has fresh randomness and an order. */
    @Benchmark
    public com.github.f4b6a3.ulid.Ulid ulidCreatorPlus1() {
      return UlidCreator.getMonotonicUlid();
    }
  }
}
