package dev.mintmark.app.cli.id;

import dev.mintmark.Utf8;
import dev.mintmark.app.cli.common.Confirmation;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.view.ConvertedTextJson;
import dev.mintmark.app.view.Json;
import dev.mintmark.warehouse.convert.Reject;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * Converts the arguments of a command, or the lines of stdin without arguments, one a line. What
 * cannot be converted is reported on stderr with its position, and its line is empty.
 */
final class TextConversion {
  private final CommandSpec spec;
  private final UnaryOperator<String> conversion;
  private final boolean json;
  private final List<ConvertedTextJson> converted = new ArrayList<>();
  private int status = ExitStatus.DONE;

  private TextConversion(CommandSpec spec, boolean json, UnaryOperator<String> conversion) {
    this.spec = spec;
    this.conversion = conversion;
    this.json = json;
  }

  /**
   * Converts texts, and returns the exit status: 1 if one cannot be converted.
   *
   * @param conversion throws IllegalArgumentException for a text that it does not convert
   */
  static int run(
      CommandSpec spec, List<String> arguments, boolean json, UnaryOperator<String> conversion) {
    TextConversion all = new TextConversion(spec, json, conversion);
    if (arguments.isEmpty()) {
      all.convertStdin();
    } else {
      all.convert(arguments.iterator());
    }
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      Json.print(out, all.converted);
    }
    out.flush();
    return all.status;
  }

  private void convertStdin() {
    if (Confirmation.stdinIsTerminal()) {
      throw new ParameterException(spec.commandLine(), "expected a value, or values on stdin");
    }
    StdinLines lines = new StdinLines();
    long number = 0;
    for (Optional<byte[]> next = lines.next(); next.isPresent(); next = lines.next()) {
      byte[] line = next.get();
      convert(++number, StdinLines.shown(line).strip(), () -> Utf8.read(line).strip());
    }
  }

  private void convert(Iterator<String> texts) {
    for (long number = 1; texts.hasNext(); number++) {
      String text = texts.next();
      convert(number, text, () -> text);
    }
  }

  private void convert(long number, String shown, Supplier<String> text) {
    try {
      String read = text.get();
      add(shown, read.isEmpty() ? "" : conversion.apply(read), null);
    } catch (IllegalArgumentException e) {
      status = ExitStatus.NO;
      PrintWriter err = spec.commandLine().getErr();
      err.println(new Reject(number, String.valueOf(e.getMessage())));
      err.flush();
      add(shown, null, e.getMessage());
    }
  }

  private void add(String input, @Nullable String output, @Nullable String error) {
    if (json) {
      converted.add(new ConvertedTextJson(input, output, error));
    } else {
      spec.commandLine().getOut().println(output == null ? "" : output);
    }
  }
}
