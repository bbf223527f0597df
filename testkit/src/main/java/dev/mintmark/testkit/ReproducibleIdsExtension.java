package dev.mintmark.testkit;

import dev.mintmark.IdType;
import dev.mintmark.IdTypes;
import dev.mintmark.Mint;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives parameters of test methods mints that make the same identifiers in every run, see {@link
 * ReproducibleIds}. Requires JUnit 5.9 or later on the class path.
 *
 * <pre>{@code
 * @ExtendWith(ReproducibleIdsExtension.class)
 * class OrdersTest {
 *   @Test
 *   void ordersAreListedByAge(Mint<Ulid> ids) {
 *     Orders orders = new Orders(ids);
 *   }
 * }
 * }</pre>
 *
 * <p>Parameters are of the types {@link ReproducibleIds}, {@link SteppingClock}, and {@link Mint}
 * of a class for which {@link IdTypes#find} knows a type, such as {@code Mint<Ulid>} or your own
 * {@code Mint<TrackId>}. All parameters of one test, including those of its {@code @BeforeEach}
 * methods, have one clock and one seed. The seed follows from the classes, the method and the
 * invocation of the test, so tests do not depend on one another. Constructors have no such
 * parameters: their mints would be shared by the tests of a class.
 *
 * <p>Thread-safe, also if tests run in parallel.
 */
@SuppressWarnings(
    "exports") // JUnit is optional: a program that does not use this need not have it.
public final class ReproducibleIdsExtension implements ParameterResolver {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(ReproducibleIdsExtension.class);

  /** Where the identity of a test begins within its unique id: before it are engine and suite. */
  private static final String CLASS_SEGMENT = "[class:";

  /** Creates the extension, as JUnit does. */
  public ReproducibleIdsExtension() {}

  /** Returns whether the parameter of a method is of one of the types above. */
  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
    Type type = parameter.getParameter().getParameterizedType();
    return parameter.getDeclaringExecutable() instanceof Method
        && (type == ReproducibleIds.class
            || type == SteppingClock.class
            || mintedType(type).isPresent());
  }

  /** Returns the value of the parameter. */
  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
    ReproducibleIds ids = ids(test);
    Type type = parameter.getParameter().getParameterizedType();
    if (type == ReproducibleIds.class) {
      return ids;
    }
    if (type == SteppingClock.class) {
      return ids.clock();
    }
    return ids.mint(mintedType(type).orElseThrow());
  }

  /** Returns the type of {@code Mint<T>}; empty if the parameter is another, or T is unknown. */
  private static Optional<IdType<?>> mintedType(Type type) {
    if (type instanceof ParameterizedType generic
        && generic.getRawType() == Mint.class
        && generic.getActualTypeArguments()[0] instanceof Class<?> minted) {
      return IdTypes.find(minted).map(found -> (IdType<?>) found);
    }
    return Optional.empty();
  }

  @SuppressWarnings("deprecation") // JUnit 5 has no other method; JUnit 6 still has this one.
  private static ReproducibleIds ids(ExtensionContext test) {
    ExtensionContext.Store store = test.getStore(NAMESPACE);
    String name = name(test.getUniqueId());
    return Objects.requireNonNull(
        store.getOrComputeIfAbsent(name, ReproducibleIds::of, ReproducibleIds.class));
  }

  static String name(String uniqueId) {
    return uniqueId.substring(Math.max(0, uniqueId.indexOf(CLASS_SEGMENT)));
  }
}
