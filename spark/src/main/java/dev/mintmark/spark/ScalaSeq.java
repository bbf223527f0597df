package dev.mintmark.spark;

import java.util.List;
import scala.collection.immutable.ArraySeq;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Converts lists between Java and Scala. */
final class ScalaSeq {
  private ScalaSeq() {}

  static <T> ArraySeq<T> of(List<? extends T> list) {
    return ArraySeq.unsafeWrapArray(list.toArray());
  }

  /** Returns the same elements in a serializable sequence with constant-time access by index. */
  static <T> ArraySeq<T> copyOf(Seq<T> elements) {
    return of(toList(elements));
  }

  static <T> List<T> toList(Seq<T> elements) {
    return CollectionConverters.asJava(elements);
  }
}
