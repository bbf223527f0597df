package dev.mintmark.app.view;

import dev.mintmark.ValueList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A list of values with its name, as JSON. */
record ValueListJson(@Nullable String name, @Nullable List<@Nullable String> values) {
  ValueList toList() {
    if (name == null || values == null) {
      throw new IllegalArgumentException("list: expected name and values");
    }
    return ValueList.of(name, JsonArrays.withoutNull("values", values));
  }
}
