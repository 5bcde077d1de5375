import type { Command, Option } from 'commander'

export type Candidate = { value: string; description: string }
/** What may stand where the cursor is; `files` where that is a path. */
export type Candidates = { candidates: Candidate[]; files: boolean }

const takesFile = /^--(output|image|end-image|reference-image|reference-video|reference-audio)$/
const takesModel = /^--model$/
const none: Candidates = { candidates: [], files: false }

/**
 * Candidates for the last of `words`, which are those behind the name of the program. They follow from the commands
 * themselves; the models are those that were seen last.
 */
export function findCandidates(program: Command, words: string[], models: string[]): Candidates {
  // bash makes three words of --model=alpha.
  const flat = words.flatMap(word => (word === '=' ? [] : (/^(--[a-z-]+)=(.*)$/.exec(word)?.slice(1) ?? [word])))
  const current = words.at(-1) === '=' ? '' : (flat.at(-1) ?? '')
  const before = words.at(-1) === '=' ? flat : flat.slice(0, -1)
  const { command, pending, position } = walk(program, before)
  if (pending) return matching(valuesOf(pending, models), current)
  if (current.startsWith('-')) return matching(plainly(optionsOf(command, program).map(optionCandidate)), current)
  const subcommands = visible(command)
  if (subcommands.length > 0 && position === 0)
    return matching(plainly(subcommands.map(one => ({ value: one.name(), description: one.description() }))), current)
  return matching(argumentValues(command, position, models), current)
}

/** The command that the words lead to, an option that still wants its value, and how many arguments there were. */
function walk(program: Command, words: string[]): { command: Command; pending?: Option; position: number } {
  let command = program
  let position = 0
  let pending: Option | undefined
  for (const word of words) {
    if (pending) {
      pending = undefined
      continue
    }
    const option = optionsOf(command, program).find(({ short, long }) => word === short || word === long)
    if (option) pending = option.required ? option : undefined
    else if (!word.startsWith('-')) {
      const next = position === 0 ? visible(command).find(one => one.name() === word) : undefined
      if (next) command = next
      else position++
    }
  }
  return { command, pending, position }
}

const visible = (command: Command) => command.commands.filter(one => !one.name().startsWith('_'))
const optionsOf = (command: Command, program: Command): readonly Option[] => [
  ...command.options,
  ...(command === program ? [] : program.options),
]
const optionCandidate = ({ long, short, description }: Option) => ({ value: long ?? short ?? '', description })

function valuesOf({ long = '', argChoices }: Option, models: string[]): Candidates {
  if (takesModel.test(long)) return plainly(models.map(named))
  if (takesFile.test(long ?? '')) return { candidates: [], files: true }
  return plainly((argChoices ?? []).map(named))
}

function argumentValues(command: Command, position: number, models: string[]): Candidates {
  const argument = command.registeredArguments[position]
  if (command.name() === 'models' && position === 0) return plainly(models.map(named))
  return plainly((argument?.argChoices ?? []).map(named))
}

const named = (value: string): Candidate => ({ value, description: '' })
const plainly = (candidates: Candidate[]): Candidates => ({ ...none, candidates })
const matching = ({ candidates, files }: Candidates, current: string): Candidates => ({
  candidates: candidates.filter(({ value }) => value.startsWith(current)),
  files,
})
