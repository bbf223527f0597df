package dev.mintmark.app.service.choice;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Every combination of answers, at rates that decide differently. */
final class EveryAnswer {
  private static final List<Load> LOADS =
      List.of(new Load(1, 10), Load.DEFAULT, new Load(5e9, 1), new Load(1e12, 100));

  private EveryAnswer() {}

  static Stream<Answers> combination() {
    List<Map<Question, Answer>> combinations = new ArrayList<>();
    combinations.add(new EnumMap<>(Question.class));
    for (Question question : Question.values()) {
      List<Map<Question, Answer>> longer = new ArrayList<>();
      for (Map<Question, Answer> combination : combinations) {
        for (Answer answer : question.answers()) {
          Map<Question, Answer> next = new EnumMap<>(Question.class);
          next.putAll(combination);
          next.put(question, answer);
          longer.add(next);
        }
      }
      combinations = longer;
    }
    List<Map<Question, Answer>> all = combinations;
    return LOADS.stream().flatMap(load -> all.stream().map(given -> Answers.of(load, given)));
  }
}
