package dev.mintmark.spark;

import java.util.function.UnaryOperator;
import scala.PartialFunction;
import scala.runtime.AbstractPartialFunction;

/** Functions of Java as Spark applies them to the nodes of a tree. */
final class Plans {
  private Plans() {}

  /** Returns a function that is defined for every node. */
  static <T> PartialFunction<T, T> of(UnaryOperator<T> function) {
    return new AbstractPartialFunction<>() {
      @Override
      public boolean isDefinedAt(T node) {
        return true;
      }

      @Override
      public T apply(T node) {
        return function.apply(node);
      }
    };
  }
}
