package dev.mintmark.app.cli.completion;

import picocli.AutoComplete;
import picocli.CommandLine;

/** A shell for which there is a completion script. */
public enum Shell {
  BASH {
    @Override
    public String script(String program, CommandLine commandLine) {
      return AutoComplete.bash(program, commandLine);
    }
  },

  /** Runs the script of bash: zsh has an emulation of its completion. */
  ZSH {
    @Override
    public String script(String program, CommandLine commandLine) {
      return "autoload -Uz compinit && compinit\n" + AutoComplete.bash(program, commandLine);
    }
  },

  FISH {
    @Override
    public String script(String program, CommandLine commandLine) {
      return new FishScript(program, commandLine).text();
    }
  };

  /** Returns the script that completes the command line of {@code program}. */
  public abstract String script(String program, CommandLine commandLine);
}
