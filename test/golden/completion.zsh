#compdef candela
# Completion of candela in zsh. Add to ~/.zshrc, below compinit:  source <(candela completion zsh)
_candela() {
  local -a found
  found=("${(@f)$("${words[1]}" complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -z "${found[1]}" ]]; then
    _files
    return
  fi
  found=("${(@)found//:/\\:}")
  found=("${(@)found/$'\t'/:}")
  _describe candela found
}
compdef _candela candela
