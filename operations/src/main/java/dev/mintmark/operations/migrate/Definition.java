package dev.mintmark.operations.migrate;

import dev.mintmark.operations.internal.schema.Check;
import dev.mintmark.operations.internal.schema.ForeignKey;
import dev.mintmark.operations.internal.schema.Index;
import dev.mintmark.postgres.internal.SqlName;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The definition of an index or a constraint as the server writes it (ruleutils.c), in its tokens:
 * so that columns in it can be given other names. The server always writes names the same way, and
 * qualifies what is not in {@code pg_catalog} as long as nothing else is on the path. Immutable.
 */
final class Definition {
  private static final Pattern TOKEN =
      Pattern.compile(
          "'(?:[^']|'')*'|\"(?<quoted>(?:[^\"]|\"\")*)\"|(?<word>[\\p{L}_][\\p{L}\\p{N}_$]*)|::|\\s+|.",
          Pattern.DOTALL);

  /** What ends what an index says of the type of a column: its collation and its operator class. */
  private static final Set<String> END_OF_KEY = Set.of(",", ")", "DESC", "NULLS");

  /**
   * One token.
   *
   * @param text as it is written
   * @param name the name it is, if it can be one, else empty
   */
  private record Token(String text, String name) {
    boolean is(String other) {
      return text.equalsIgnoreCase(other);
    }

    /** The server writes keywords in capitals, and quotes names that have some. */
    boolean isKeyword() {
      return text.equals(name) && !text.equals(text.toLowerCase(Locale.ROOT));
    }

    boolean isBlank() {
      return text.isBlank();
    }
  }

  private final List<Token> tokens;

  /** Which tokens are part of the name of a type, or of a collation. */
  private final BitSet types;

  private Definition(List<Token> tokens) {
    this.tokens = List.copyOf(tokens);
    this.types = types(this.tokens);
  }

  /**
   * The name of a type can have several words: {@code timestamp(3) without time zone}. Only commas,
   * operators and keywords in capitals come after it.
   */
  private static BitSet types(List<Token> tokens) {
    BitSet types = new BitSet(tokens.size());
    boolean inType = false;
    boolean inModifier = false;
    for (int i = 0; i < tokens.size(); i++) {
      Token token = tokens.get(i);
      if (token.is("::") || token.text().equals("COLLATE")) {
        inType = true;
      } else if (inModifier) {
        inModifier = !token.is(")");
      } else if (inType && token.is("(")) {
        inModifier = i + 1 < tokens.size() && Character.isDigit(tokens.get(i + 1).text().charAt(0));
        inType = inModifier;
      } else if (inType && (token.name().isEmpty() || token.isKeyword())) {
        inType = token.isBlank() || token.is(".");
      }
      types.set(i, inType);
    }
    return types;
  }

  static Definition of(Index index) {
    return of(index.definition().orElseThrow());
  }

  static Definition of(Check check) {
    return of(check.definition());
  }

  static Definition of(ForeignKey foreignKey) {
    return of(foreignKey.definition());
  }

  static Definition of(String sql) {
    List<Token> tokens = new ArrayList<>();
    Matcher token = TOKEN.matcher(sql);
    while (token.find()) {
      String quoted = token.group("quoted");
      String word = token.group("word");
      tokens.add(
          new Token(
              token.group(),
              quoted != null ? quoted.replace("\"\"", "\"") : word != null ? word : ""));
    }
    return new Definition(tokens);
  }

  /** The same with other names for columns. */
  Definition renamed(Map<String, String> columns) {
    List<Token> renamed = new ArrayList<>();
    for (int i = 0; i < tokens.size(); i++) {
      renamed.add(isColumn(i) ? renamed(tokens.get(i), columns) : tokens.get(i));
    }
    return new Definition(renamed);
  }

  /** The same of a foreign key, whose second list has the columns of another table. */
  Definition renamed(Map<String, String> columns, Map<String, String> referenced) {
    List<Token> renamed = new ArrayList<>();
    boolean inReferenced = false;
    boolean behindReferences = false;
    for (int i = 0; i < tokens.size(); i++) {
      Token token = tokens.get(i);
      if (token.is("references") && !token.text().startsWith("\"")) {
        behindReferences = true;
      } else if (behindReferences && token.is("(")) {
        inReferenced = true;
      } else if (inReferenced && token.is(")")) {
        inReferenced = false;
        behindReferences = false;
      }
      // Between the word and its list is the table, whose name is not that of a column.
      boolean table = behindReferences && !inReferenced;
      renamed.add(
          isColumn(i) && !table ? renamed(token, inReferenced ? referenced : columns) : token);
    }
    return new Definition(renamed);
  }

  /**
   * Returns the part of an index's definition from its access method on, with other names for
   * columns. The collation and operator class of a renamed column are omitted, because the new
   * column has another type.
   */
  Definition indexed(Map<String, String> columns) {
    int start = 0;
    while (!tokens.get(start).is("using")) {
      start++;
    }
    List<Token> kept = new ArrayList<>();
    boolean inKeys = true;
    int depth = 0;
    boolean behindRenamed = false;
    for (int i = start; i < tokens.size(); i++) {
      Token token = tokens.get(i);
      inKeys &= !token.is("where");
      depth += token.is("(") ? 1 : token.is(")") ? -1 : 0;
      if (isColumn(i) && columns.containsKey(token.name())) {
        kept.add(renamed(token, columns));
        // Deeper inside it is part of an expression, and what follows is as well.
        behindRenamed = inKeys && depth == 1;
        continue;
      }
      // What its operator class has in parentheses ends nothing.
      boolean inParameters = depth > 1 || (depth == 1 && token.is(")"));
      if (behindRenamed
          && !inParameters
          && END_OF_KEY.contains(token.text().toUpperCase(Locale.ROOT))) {
        behindRenamed = false;
        if (!token.name().isEmpty()) {
          kept.add(new Token(" ", ""));
        }
      }
      if (!behindRenamed) {
        kept.add(token);
      }
    }
    return new Definition(kept);
  }

  /** Of an index: the same in a tablespace, which the server does not write, by its quoted name. */
  Definition inTablespace(String tablespace) {
    List<Token> placed = new ArrayList<>(tokens);
    int where = 0;
    while (where < tokens.size() && !tokens.get(where).text().equals("WHERE")) {
      where++;
    }
    boolean isPartial = where < tokens.size();
    placed.add(
        where,
        new Token(
            (isPartial ? "" : " ") + "tablespace " + tablespace + (isPartial ? " " : ""), ""));
    return new Definition(placed);
  }

  /** Of an index: its access method, such as {@code btree}. */
  String method() {
    int using = 0;
    while (!tokens.get(using).is("using")) {
      using++;
    }
    return nextWord(using).name();
  }

  /** Of an index: whether rows that have no value in a column are equal in it. */
  boolean hasEqualNulls() {
    for (int i = 0; i < tokens.size(); i++) {
      if (tokens.get(i).text().equals("NULLS") && nextWord(i).text().equals("NOT")) {
        return true;
      }
    }
    return false;
  }

  /** Whether it calls a function that is not the server's own: those are written with a schema. */
  boolean callsUserFunction() {
    for (int i = 2; i < tokens.size(); i++) {
      if (!tokens.get(i - 1).name().isEmpty()
          && tokens.get(i).is("(")
          && tokens.get(i - 2).is(".")) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether nothing but columns of these are compared with one another: no constants, no functions,
   * nothing of a type.
   */
  boolean comparesOnly(Set<String> columns) {
    Set<String> words =
        Set.of("check", "and", "or", "not", "is", "null", "distinct", "from", "text");
    return tokens.stream()
        .allMatch(
            token ->
                token.name().isEmpty()
                    ? !token.text().startsWith("'") && !Character.isDigit(token.text().charAt(0))
                    : columns.contains(token.name())
                        || words.contains(token.text().toLowerCase(Locale.ROOT)));
  }

  /**
   * Of an index: whether its condition asks of these columns no more than whether they have a
   * value.
   */
  boolean conditionTestsOnlyNull(Set<String> columns) {
    int where = 0;
    while (where < tokens.size() && !tokens.get(where).is("where")) {
      where++;
    }
    for (int i = where; i < tokens.size(); i++) {
      if (isColumn(i) && columns.contains(tokens.get(i).name()) && !nextWord(i).is("is")) {
        return false;
      }
    }
    return true;
  }

  private Token nextWord(int i) {
    int next = i + 1;
    while (next < tokens.size() - 1 && tokens.get(next).isBlank()) {
      next++;
    }
    return tokens.get(Math.min(next, tokens.size() - 1));
  }

  private boolean isColumn(int i) {
    Token token = tokens.get(i);
    if (token.name().isEmpty() || token.isKeyword() || types.get(i)) {
      return false;
    }
    boolean qualified = i > 0 && tokens.get(i - 1).is(".");
    boolean called =
        i + 1 < tokens.size() && (tokens.get(i + 1).is("(") || tokens.get(i + 1).is("."));
    return !qualified && !called;
  }

  private static Token renamed(Token token, Map<String, String> columns) {
    String name = columns.get(token.name());
    return name == null ? token : new Token(SqlName.quoted(name), name);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    tokens.forEach(token -> text.append(token.text()));
    return text.toString();
  }
}
