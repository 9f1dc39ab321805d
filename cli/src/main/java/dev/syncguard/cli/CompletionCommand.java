package dev.syncguard.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Prints what a shell needs to complete our commands and options. */
@Command(
    name = "completion",
    description = "Prints a completion script for bash and zsh.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  source <(syncguard completion)    # for this shell, bash or zsh",
      "  syncguard completion > ~/.local/share/bash-completion/completions/syncguard"
    })
final class CompletionCommand implements Callable<Integer> {

  @ParentCommand
  @SuppressWarnings("NullAway.Init") // The parser sets it.
  private Syncguard top;

  @Spec
  @SuppressWarnings("NullAway.Init") // The parser sets it.
  private CommandSpec spec;

  @Override
  public Integer call() {
    top.surroundings().out().print(AutoComplete.bash("syncguard", spec.root().commandLine()));
    top.surroundings().out().flush();
    return ExitCode.DONE;
  }
}
