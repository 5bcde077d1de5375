import { Argument, type Command } from 'commander'
import { findCandidates } from '../completion/candidates'
import { readModelIds } from '../completion/model-cache'
import { completeCommand, filesMark, type Shell, scripts } from '../completion/scripts'
import type { Session } from '../session'
import type { Run } from './run'

const shells = Object.keys(scripts) as Shell[]

const completionHelp = `
  bash  echo 'source <(filmgate completion bash)' >> ~/.bashrc
  zsh   echo 'source <(filmgate completion zsh)' >> ~/.zshrc     (after compinit)
  fish  filmgate completion fish > ~/.config/fish/completions/filmgate.fish
Models are completed once \`filmgate models\` has listed them.`

export function addCompletion(program: Command, run: Run): void {
  program
    .command('completion')
    .description('a script that completes commands, options and models in your shell')
    .addArgument(new Argument('<shell>').choices(shells))
    .addHelpText('after', completionHelp)
    .action(run(printScript))
  program
    .command(completeCommand, { hidden: true })
    .argument('[words...]')
    .action(run((session, words: string[]) => printCandidates(program, session, words)))
}

// The script is the result, whatever --json says.
async function printScript({ terminal }: Session, shell: Shell): Promise<void> {
  terminal.write(scripts[shell])
}

async function printCandidates(program: Command, { folders, terminal }: Session, words: string[]): Promise<void> {
  const { candidates, files } = findCandidates(program, words, await readModelIds(folders))
  const lines = files ? [filesMark] : candidates.map(({ value, description }) => `${value}\t${description}`)
  terminal.write(lines.map(line => `${line}\n`).join(''))
}
