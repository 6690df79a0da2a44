import { Argument, type Command } from 'commander'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/**
 * Completion scripts by shell. A script passes the words up to the cursor to `candela complete`. That command prints one possible
 * word per line, followed by a tab and a description. If it prints no words, the shell offers files.
 */
export const completionScripts: Readonly<Record<Shell, string>> = {
  bash: `# Completion of candela in bash. Add to ~/.bashrc:  source <(candela completion bash)
_candela() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <("\${COMP_WORDS[0]}" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o bashdefault -o default -F _candela candela
`,
  zsh: `#compdef candela
# Completion of candela in zsh. Add to ~/.zshrc, below compinit:  source <(candela completion zsh)
_candela() {
  local -a found
  found=("\${(@f)$("\${words[1]}" complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -z "\${found[1]}" ]]; then
    _files
    return
  fi
  found=("\${(@)found//:/\\\\:}")
  found=("\${(@)found/$'\\t'/:}")
  _describe candela found
}
compdef _candela candela
`,
  fish: `# Completion of candela in fish. Run once:  candela completion fish > ~/.config/fish/completions/candela.fish
function __candela_complete
  set -l words (commandline -opc)
  set -l last (commandline -ct)
  set -l found ($words[1] complete -- $words[2..-1] "$last" 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path "$last"
  end
end
complete -c candela -f -a '(__candela_complete)'
`,
}

/** `candela completion`: prints the completion script of a shell. */
export const addCompletion = (program: Command): void => {
  program
    .command('completion')
    .description('print what makes a shell complete commands, options and names')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText('after', '\nThe first line of what is printed says where to put it.')
    .action((shell: Shell) => {
      process.stdout.write(completionScripts[shell])
    })
}
