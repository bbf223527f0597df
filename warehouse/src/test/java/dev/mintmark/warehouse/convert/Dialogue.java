package dev.mintmark.warehouse.convert;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The input of a program that writes the next text only after it has read the output so far. */
final class Dialogue extends InputStream {
  private final ByteArrayOutputStream answers;
  private final Deque<String> texts;
  private final List<String> outputs = new ArrayList<>();

  Dialogue(ByteArrayOutputStream answers, String... texts) {
    this.answers = answers;
    this.texts = new ArrayDeque<>(List.of(texts));
  }

  /** Returns the output before each text and before the end of the input. */
  List<String> outputs() {
    return List.copyOf(outputs);
  }

  @Override
  public int read() {
    throw new UnsupportedOperationException();
  }

  @Override
  public int read(byte[] bytes, int from, int count) {
    outputs.add(answers.toString(StandardCharsets.UTF_8));
    return texts.isEmpty()
        ? -1
        : new ByteArrayInputStream(texts.removeFirst().getBytes(StandardCharsets.UTF_8))
            .read(bytes, from, count);
  }
}
