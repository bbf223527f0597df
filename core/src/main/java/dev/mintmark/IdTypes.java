package dev.mintmark;

import java.util.List;
import java.util.Optional;

/**
 * Declares the identifier types of a program's own classes, once for all adapters: a column, a
 * serializer or a converter that meets such a class asks {@link #find}. {@link
 * java.util.ServiceLoader} finds implementations: a line in {@code
 * META-INF/services/dev.mintmark.IdTypes}, or {@code provides dev.mintmark.IdTypes with ...} in a
 * module.
 *
 * <p>An implementation is created and asked whenever types are looked for, in any thread: by an
 * adapter that starts, and for each class that {@link #find} is asked for the first time. It
 * returns the same types each time.
 *
 * <pre>{@code
 * public final class ShopTypes implements IdTypes {
 *   private static final SequenceId.Format PAYMENTS = new SequenceId.Format("PM", 6);
 *
 *   public List<IdType<?>> idTypes() {
 *     return List.of(
 *         IdType.sequences(PAYMENTS)
 *             .map(PaymentId.class, id -> new PaymentId(id.number()), id -> PAYMENTS.of(id.value())),
 *         IdType.ulids().map(TrackId.class, TrackId::new, TrackId::value));
 *   }
 * }
 * }</pre>
 */
public interface IdTypes {
  /**
   * Returns the types. Each has a class of its own, which no other type has: not one of the JDK and
   * not one of Mintmark, because other code uses those for other identifiers.
   */
  List<IdType<?>> idTypes();

  /**
   * Returns the type that is declared for a class. Of Mintmark's own classes those have one of
   * which the text alone determines an identifier: {@link Ulid}, {@link Snowflake}, {@link Tsid},
   * {@link Ksuid}, {@link ObjectId}, {@link Xid}, {@link NanoId} in its default format, and {@link
   * Puri}.
   *
   * <p>Looks for implementations with the class loader of the class, once for each class.
   *
   * @throws IllegalStateException if an implementation declares a class of the JDK or of Mintmark,
   *     or if two types have one class; the message names both
   * @throws java.util.ServiceConfigurationError if an implementation cannot be loaded
   */
  static <T> Optional<IdType<T>> find(Class<T> javaType) {
    return DeclaredTypes.find(javaType);
  }

  /**
   * Returns all declared types that a class loader sees, in the order in which {@link
   * java.util.ServiceLoader} finds them: for adapters that have to register each class.
   *
   * @throws IllegalStateException as {@link #find} throws it
   * @throws java.util.ServiceConfigurationError as {@link #find} throws it
   */
  static List<IdType<?>> declared(ClassLoader loader) {
    return DeclaredTypes.of(loader);
  }
}
