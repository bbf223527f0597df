package dev.mintmark.operations.migrate;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** What the switch does, each in its place: it is undone in the opposite order. */
final class SwitchScript {
  /**
   * Something the switch does, and how it is undone.
   *
   * @param apply none where only undoing takes something
   * @param undo none where nothing has to be undone
   */
  record Change(List<String> apply, List<String> undo) {
    Change(String apply, String undo) {
      this(List.of(apply), List.of(undo));
    }

    static Change to(String apply) {
      return new Change(List.of(apply), List.of());
    }

    static Change back(String undo) {
      return new Change(List.of(), List.of(undo));
    }
  }

  final Set<LiveTable> tables = new LinkedHashSet<>();
  final List<Change> oldForeignKeys = new ArrayList<>();
  final List<Change> oldKeys = new ArrayList<>();
  final List<Change> columns = new ArrayList<>();
  final List<Change> renames = new ArrayList<>();
  final List<Change> newKeys = new ArrayList<>();
  final List<Change> newForeignKeys = new ArrayList<>();
  final List<Change> comments = new ArrayList<>();
  final List<Change> defaults = new ArrayList<>();
  final List<Change> functions = new ArrayList<>();
  final List<Change> shapes = new ArrayList<>();

  private List<Change> inOrder() {
    return Stream.of(
            oldForeignKeys,
            oldKeys,
            columns,
            renames,
            newKeys,
            newForeignKeys,
            comments,
            defaults,
            functions,
            shapes)
        .flatMap(List::stream)
        .toList();
  }

  List<String> apply() {
    return inOrder().stream().flatMap(change -> change.apply().stream()).toList();
  }

  List<String> undo() {
    List<Change> reversed = new ArrayList<>(inOrder());
    Collections.reverse(reversed);
    return reversed.stream().flatMap(change -> change.undo().stream()).toList();
  }
}
