package dev.mintmark.jackson;

import dev.mintmark.Puri;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import tools.jackson.databind.util.ClassUtil;

/** The record that keeps objects of unknown types: a {@link Puri} and the JSON text. */
final class UnknownRecord {
  private final Class<?> type;
  private final Constructor<?> constructor;
  private final Method json;
  private final boolean isPuriFirst;

  private UnknownRecord(
      Class<?> type, Constructor<?> constructor, Method json, boolean isPuriFirst) {
    this.type = type;
    this.constructor = constructor;
    this.json = json;
    this.isPuriFirst = isPuriFirst;
  }

  /**
   * @throws IllegalArgumentException if the record does not have these two components
   */
  static UnknownRecord of(Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    boolean isPuriFirst = components.length == 2 && components[0].getType() == Puri.class;
    RecordComponent puri = components[isPuriFirst ? 0 : components.length - 1];
    RecordComponent json = components[isPuriFirst ? 1 : 0];
    if (components.length != 2 || puri.getType() != Puri.class || json.getType() != String.class) {
      throw new IllegalArgumentException(
          "%s has no component with @InCollection: expected one, or a Puri and a String, which keep objects of unknown types"
              .formatted(type.getName()));
    }
    try {
      Constructor<?> constructor =
          type.getDeclaredConstructor(components[0].getType(), components[1].getType());
      // By Jackson, which the package of the record is open to, as for every record that it reads.
      ClassUtil.checkAndFixAccess(constructor, true);
      ClassUtil.checkAndFixAccess(json.getAccessor(), true);
      return new UnknownRecord(type, constructor, json.getAccessor(), isPuriFirst);
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e);
    }
  }

  Class<?> type() {
    return type;
  }

  /**
   * @throws InvocationTargetException if the constructor of the record throws
   */
  Object of(Puri puri, String text) throws InvocationTargetException {
    try {
      return isPuriFirst
          ? constructor.newInstance(puri, text)
          : constructor.newInstance(text, puri);
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
