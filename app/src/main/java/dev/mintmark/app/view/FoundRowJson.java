package dev.mintmark.app.view;

import dev.mintmark.postgres.search.RowAnswer;
import java.util.ArrayList;
import java.util.List;

/**
 * A row that was found, as JSON.
 *
 * @param values in the order of the declared columns
 */
public record FoundRowJson(List<RowValueJson> values) {
  static List<FoundRowJson> of(RowAnswer.Found found) {
    List<FoundRowJson> rows = new ArrayList<>();
    for (List<RowAnswer.Value> row : found.rows()) {
      List<RowValueJson> values = new ArrayList<>();
      for (int i = 0; i < row.size(); i++) {
        RowAnswer.Value value = row.get(i);
        values.add(
            new RowValueJson(found.columns().get(i), value.text().orElse(null), value.isCut()));
      }
      rows.add(new FoundRowJson(values));
    }
    return rows;
  }
}
