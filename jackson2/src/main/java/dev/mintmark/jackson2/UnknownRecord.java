package dev.mintmark.jackson2;

import com.fasterxml.jackson.databind.util.ClassUtil;
import dev.mintmark.Puri;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The record that keeps objects of unknown types: the JSON text, and with it the {@link Puri} or
 * nothing. Without it, objects whose compact pURI has unknown codes are kept as well.
 */
final class UnknownRecord {
  private final Class<?> type;
  private final Constructor<?> constructor;
  private final Method json;
  private final List<Class<?>> components;

  private UnknownRecord(
      Class<?> type, Constructor<?> constructor, Method json, List<Class<?>> components) {
    this.type = type;
    this.constructor = constructor;
    this.json = json;
    this.components = components;
  }

  /**
   * @throws IllegalArgumentException if the record does not have these components
   */
  static UnknownRecord of(Class<?> type) {
    List<Class<?>> components =
        Stream.of(type.getRecordComponents()).<Class<?>>map(RecordComponent::getType).toList();
    boolean isFit =
        Collections.frequency(components, String.class) == 1
            && Collections.frequency(components, Puri.class) == components.size() - 1
            && components.size() <= 2;
    if (!isFit) {
      throw new IllegalArgumentException(
          "%s has no component with @InCollection: expected one, or a Puri and a String, which keep objects of unknown types"
              .formatted(type.getName()));
    }
    try {
      Constructor<?> constructor = type.getDeclaredConstructor(components.toArray(Class<?>[]::new));
      Method json = type.getRecordComponents()[components.indexOf(String.class)].getAccessor();
      // By Jackson, which the package of the record is open to, as for every record that it reads.
      ClassUtil.checkAndFixAccess(constructor, true);
      ClassUtil.checkAndFixAccess(json, true);
      return new UnknownRecord(type, constructor, json, components);
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e);
    }
  }

  Class<?> type() {
    return type;
  }

  boolean hasPuri() {
    return components.contains(Puri.class);
  }

  /**
   * Makes a record.
   *
   * @param puri empty if its codes are unknown
   * @throws InvocationTargetException if the constructor of the record throws
   */
  Object of(Optional<Puri> puri, String text) throws InvocationTargetException {
    Object[] values =
        components.stream()
            .map(component -> component == String.class ? text : puri.orElseThrow())
            .toArray();
    try {
      return constructor.newInstance(values);
    } catch (InstantiationException | IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The JSON text that a record keeps. */
  String json(Object unknown) {
    try {
      return String.valueOf(json.invoke(unknown));
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException(e);
    }
  }
}
