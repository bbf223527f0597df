package dev.mintmark;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs an action after the process was restored from a checkpoint, if the API of CRaC is there. It
 * is called by reflection, because core needs the JDK alone.
 *
 * @see <a href="https://github.com/CRaC/org.crac">org.crac, which works on every JDK</a>
 */
final class RestoreHook {
  /** The packages of the API: that of the library, and that of a JDK with CRaC. */
  private static final List<String> PACKAGES = List.of("org.crac.", "jdk.crac.");

  private RestoreHook() {}

  /**
   * Registers the action.
   *
   * @return the registered object, which the caller must keep, because the API refers to it weakly;
   *     empty if the API is not there
   */
  static Optional<Object> register(ClassLoader loader, Runnable afterRestore) {
    return PACKAGES.stream()
        .flatMap(api -> registered(api, loader, afterRestore).stream())
        .findFirst();
  }

  private static Optional<Object> registered(
      String api, ClassLoader loader, Runnable afterRestore) {
    try {
      Class<?> type = Class.forName(api + "Resource", false, loader);
      Object resource =
          Proxy.newProxyInstance(
              type.getClassLoader() == null ? loader : type.getClassLoader(),
              new Class<?>[] {type},
              (proxy, method, arguments) -> called(proxy, method, arguments, afterRestore));
      Object context =
          Class.forName(api + "Core", true, loader).getMethod("getGlobalContext").invoke(null);
      Class.forName(api + "Context", false, loader)
          .getMethod("register", type)
          .invoke(context, resource);
      return Optional.of(resource);
    } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
      return Optional.empty(); // Without the API there are no checkpoints.
    }
  }

  private static @Nullable Object called(
      Object proxy, Method method, Object @Nullable [] arguments, Runnable afterRestore) {
    switch (method.getName()) {
      case "afterRestore" -> afterRestore.run();
      case "equals" -> {
        return arguments != null && proxy == arguments[0];
      }
      case "hashCode" -> {
        return System.identityHashCode(proxy);
      }
      case "toString" -> {
        return "mintmark: new seeds after a restore";
      }
      default -> {
        // Nothing to do before a checkpoint.
      }
    }
    return null;
  }
}
