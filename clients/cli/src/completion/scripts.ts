/** The hidden command that the scripts ask for candidates. */
export const completeCommand = '__complete'
/** Stands in place of candidates where a path is wanted. */
export const filesMark = ':files'

const ask = `filmgate ${completeCommand} --`

/** A script for each shell. Each asks the program for candidates, so that it never lags behind the commands. */
export const scripts = {
  bash: `# Load it by: source <(filmgate completion bash)
_filmgate() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == '${filesMark}' ]]; then compopt -o default; return; fi
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(${ask} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _filmgate filmgate
`,
  zsh: `#compdef filmgate
# Load it by: source <(filmgate completion zsh)
_filmgate() {
  local line
  local -a candidates
  for line in "\${(@f)$(${ask} "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == '${filesMark}' ]]; then _files; return; fi
    [[ -n $line ]] && candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  _describe filmgate candidates
}
if [[ \${zsh_eval_context[-1]} == loadautofunc ]]; then _filmgate "$@"; else compdef _filmgate filmgate; fi
`,
  fish: `# Load it by: filmgate completion fish | source
function __filmgate_complete
  set -l lines (${ask} (commandline -opc)[2..] (commandline -ct) 2>/dev/null)
  if test "$lines[1]" = '${filesMark}'
    __fish_complete_path (commandline -ct)
  else
    printf '%s\\n' $lines
  end
end
complete -c filmgate -f -a '(__filmgate_complete)'
`,
} as const

export type Shell = keyof typeof scripts
