package dev.mintmark.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.ColumnValue;
import dev.mintmark.IdType;
import dev.mintmark.IdTypes;
import dev.mintmark.Ksuid;
import dev.mintmark.NanoId;
import dev.mintmark.ObjectId;
import dev.mintmark.Puri;
import dev.mintmark.SequenceId;
import dev.mintmark.Snowflake;
import dev.mintmark.Tsid;
import dev.mintmark.TypeId;
import dev.mintmark.Ulid;
import dev.mintmark.Xid;
import dev.mintmark.shop.ShopTypes.PaymentId;
import dev.mintmark.shop.ShopTypes.TrackId;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Types that a program declares in {@code META-INF/services}, as its adapters find them. */
class IdTypesTest {
  @TempDir Path directory;

  @Test
  void findsTheTypeOfAProgramsOwnClass() {
    IdType<PaymentId> payments = IdTypes.find(PaymentId.class).orElseThrow();
    IdType<TrackId> tracks = IdTypes.find(TrackId.class).orElseThrow();

    assertThat(payments.parse("PM000123")).isEqualTo(new PaymentId(123));
    assertThat(payments.toStored(new PaymentId(123))).isEqualTo(new ColumnValue.Bigint(123));
    assertThat(tracks.javaType()).isEqualTo(TrackId.class);
    assertThat(tracks.mint().value().time()).isNotNull();
    assertThat(IdTypes.declared(ShopTypes.class.getClassLoader()))
        .<Class<?>>map(IdType::javaType)
        .containsExactly(PaymentId.class, TrackId.class);
  }

  @Test
  void knowsTheValuesThatATextAloneDetermines() {
    assertThat(
            List.of(
                Ulid.class,
                Snowflake.class,
                Tsid.class,
                Ksuid.class,
                ObjectId.class,
                Xid.class,
                NanoId.class,
                Puri.class))
        .allMatch(value -> IdTypes.find(value).isPresent());
    assertThat(List.of(TypeId.class, SequenceId.class, UUID.class, String.class, Long.class))
        .allMatch(value -> IdTypes.find(value).isEmpty());
  }

  /** A second declaration of the same classes. */
  public static final class Twice implements IdTypes {
    @Override
    public List<IdType<?>> idTypes() {
      return new ShopTypes().idTypes();
    }
  }

  /** A declaration that would change UUIDs of every other library. */
  public static final class OfTheJdk implements IdTypes {
    @Override
    public List<IdType<?>> idTypes() {
      return List.of(IdType.uuidsV7());
    }
  }

  /** A declaration of all TypeIDs as those of one type. */
  public static final class OfMintmark implements IdTypes {
    @Override
    public List<IdType<?>> idTypes() {
      return List.of(IdType.typeIds("user"));
    }
  }

  @Test
  void refusesTwoTypesOfOneClass() throws IOException {
    assertRefused(
        Twice.class,
        "two types of %s, by %s and %s: declare one"
            .formatted(
                PaymentId.class.getName(), ShopTypes.class.getName(), Twice.class.getName()));
  }

  @Test
  void refusesClassesThatOtherCodeUses() throws IOException {
    assertRefused(
        OfTheJdk.class,
        OfTheJdk.class.getName()
            + " declares a type of java.util.UUID: map it to a class of your own");
    assertRefused(
        OfMintmark.class,
        OfMintmark.class.getName()
            + " declares a type of dev.mintmark.TypeId: map it to a class of your own");
  }

  private void assertRefused(Class<?> declaration, String message) throws IOException {
    Path services = Files.createDirectories(directory.resolve("META-INF/services"));
    Files.writeString(services.resolve(IdTypes.class.getName()), declaration.getName());
    URL[] places = {directory.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(places, getClass().getClassLoader())) {
      assertThatThrownBy(() -> IdTypes.declared(loader))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(message);
    }
  }
}
