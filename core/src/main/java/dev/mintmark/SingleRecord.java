package dev.mintmark;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Objects;

/** A record with one component: calls its canonical constructor and its accessor. */
final class SingleRecord<W> {
  private static final MethodType CALL = MethodType.genericMethodType(1);

  private final Class<W> type;
  private final RecordComponent component;
  private final MethodHandle constructor;
  private final MethodHandle accessor;

  private SingleRecord(
      Class<W> type, RecordComponent component, MethodHandle constructor, MethodHandle accessor) {
    this.type = type;
    this.component = component;
    this.constructor = constructor;
    this.accessor = accessor;
  }

  /**
   * @throws IllegalArgumentException if the class is not a record with one component, or if this
   *     module may not call it
   */
  static <W> SingleRecord<W> of(Class<W> type) {
    RecordComponent[] components = type.getRecordComponents();
    if (components == null) {
      throw unfit(type, "it is not a record: expected a record with one component");
    }
    if (components.length != 1) {
      throw unfit(
          type, "it has %s components: expected a record with one".formatted(components.length));
    }
    RecordComponent component = components[0];
    try {
      Constructor<W> constructor = type.getDeclaredConstructor(component.getType());
      constructor.setAccessible(true);
      Method accessor = component.getAccessor();
      accessor.setAccessible(true);
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      return new SingleRecord<>(
          type,
          component,
          lookup.unreflectConstructor(constructor).asType(CALL),
          lookup.unreflect(accessor).asType(CALL));
    } catch (InaccessibleObjectException | ReflectiveOperationException e) {
      throw new IllegalArgumentException(
          "cannot call the constructor of %s: open its package to the module dev.mintmark"
              .formatted(type.getName()),
          e);
    }
  }

  static IllegalArgumentException unfit(Class<?> type, String why) {
    return new IllegalArgumentException(
        "%s cannot wrap an identifier: %s".formatted(type.getName(), why));
  }

  Class<W> type() {
    return type;
  }

  /** The class of the component: {@link Long} for {@code long}. */
  Class<?> componentType() {
    return MethodType.methodType(component.getType()).wrap().returnType();
  }

  /** Makes a record. Exceptions of its constructor pass through. */
  W wrap(Object value) {
    return type.cast(call(constructor, value));
  }

  /**
   * @throws NullPointerException if the component is null
   */
  Object unwrap(W instance) {
    return Objects.requireNonNull(
        call(accessor, instance),
        () -> "%s.%s is null".formatted(type.getName(), component.getName()));
  }

  // A record's constructor and accessor declare no checked exceptions.
  private static Object call(MethodHandle handle, Object argument) {
    try {
      return (Object) handle.invokeExact(argument);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
