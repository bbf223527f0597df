package dev.mintmark;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** A mint of what a function makes of the identifiers of another mint. */
record MappedMint<S, T>(Mint<S> source, Function<? super S, ? extends T> function)
    implements Mint<T> {
  @Override
  public T mint() {
    return function.apply(source.mint());
  }

  @Override
  public List<T> mint(int count) {
    return source.mint(count).stream().<T>map(function).toList();
  }

  @Override
  public Duration drift() {
    return source.drift();
  }
}
