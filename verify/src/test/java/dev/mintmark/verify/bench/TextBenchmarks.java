package dev.mintmark.verify.bench;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.StringArgGenerator;
import com.fasterxml.uuid.impl.UUIDUtil;
import com.github.f4b6a3.uuid.UuidCreator;
import dev.mintmark.TypeId;
import dev.mintmark.Ulid;
import dev.mintmark.Uuids;
import java.util.UUID;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Reading and writing: one class for an operation, one method for whoever can do it. */
public final class TextBenchmarks {
  private static final String ULID = "01FZG96YPZK4SANAG1ZM5T2K9Z";
  private static final String UUID_V7 = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f";
  private static final String TYPE_ID = "prefix_01h455vb4pex5vsknk084sn02q";

  private TextBenchmarks() {}

  @State(Scope.Benchmark)
  public static class UlidParse {
    private String text = ULID;

    @Benchmark
    public Ulid mintmark() {
      return Ulid.parse(text);
    }

    @Benchmark
    public com.github.f4b6a3.ulid.Ulid ulidCreator() {
      return com.github.f4b6a3.ulid.Ulid.from(text);
    }

    @Benchmark
    public de.huxhorn.sulky.ulid.ULID.Value sulky() {
      return de.huxhorn.sulky.ulid.ULID.parseULID(text);
    }

    @Benchmark
    public io.azam.ulidj.ULID ulidj() {
      return io.azam.ulidj.ULID.parseULID(text);
    }
  }

  @State(Scope.Benchmark)
  public static class UlidToString {
    private Ulid mintmark = Ulid.parse(ULID);
    private com.github.f4b6a3.ulid.Ulid ulidCreator = com.github.f4b6a3.ulid.Ulid.from(ULID);
    private de.huxhorn.sulky.ulid.ULID.Value sulky = de.huxhorn.sulky.ulid.ULID.parseULID(ULID);
    private io.azam.ulidj.ULID ulidj = io.azam.ulidj.ULID.parseULID(ULID);

    @Benchmark
    public String mintmark() {
      return mintmark.toString();
    }

    @Benchmark
    public String ulidCreator() {
      return ulidCreator.toString();
    }

    @Benchmark
    public String sulky() {
      return sulky.toString();
    }

    @Benchmark
    public String ulidj() {
      return ulidj.toString();
    }
  }

  @State(Scope.Benchmark)
  public static class UuidParse {
    private String text = UUID_V7;

    @Benchmark
    public UUID mintmark() {
      return Uuids.parse(text);
    }

    /** Not as strict: it takes 1-1-1-1-1 for a UUID. */
    @Benchmark
    public UUID jdk() {
      return UUID.fromString(text);
    }

    @Benchmark
    public UUID uuidCreator() {
      return UuidCreator.fromString(text);
    }

    @Benchmark
    public UUID jug() {
      return UUIDUtil.uuid(text);
    }
  }

  @State(Scope.Benchmark)
  public static class TypeIdParse {
    private String text = TYPE_ID;

    @Benchmark
    public TypeId mintmark() {
      return TypeId.parse(text);
    }

    @Benchmark
    public de.fxlae.typeid.TypeId fxlae() {
      return de.fxlae.typeid.TypeId.parse(text);
    }
  }

  @State(Scope.Benchmark)
  public static class TypeIdToString {
    private TypeId mintmark = TypeId.parse(TYPE_ID);
    private de.fxlae.typeid.TypeId fxlae = de.fxlae.typeid.TypeId.parse(TYPE_ID);

    @Benchmark
    public String mintmark() {
      return mintmark.toString();
    }

    @Benchmark
    public String fxlae() {
      return fxlae.toString();
    }
  }

  @State(Scope.Benchmark)
  public static class UuidOfName {
    private String name = "www.example.com";
    private final StringArgGenerator jug = Generators.nameBasedGenerator(Uuids.NAMESPACE_DNS);

    @Benchmark
    public UUID mintmark() {
      return Uuids.mintV5(Uuids.NAMESPACE_DNS, name);
    }

    @Benchmark
    public UUID uuidCreator() {
      return UuidCreator.getNameBasedSha1(Uuids.NAMESPACE_DNS, name);
    }

    @Benchmark
    public UUID jug() {
      return jug.generate(name);
    }
  }
}
