export type Pin = { path: string; version: string }

/** The versions that a go.mod uses: its requirements with replacements applied. */
export function pinsOf(goMod: string): Pin[] {
  const replaced = new Map<string, Pin>()
  const required: Pin[] = []
  for (const { verb, tokens } of directives(goMod)) {
    const arrow = tokens.indexOf('=>')
    if (verb === 'replace' && tokens[0] && arrow > 0) replaced.set(tokens[0], pin(tokens[arrow + 1], tokens[arrow + 2]))
    if (verb === 'require' && tokens[1]) required.push(pin(tokens[0], tokens[1]))
  }
  const used = required.map(one => replaced.get(one.path) ?? one)
  return [...new Map(used.map(one => [nameOf(one), one])).values()]
}

export const nameOf = ({ path, version }: Pin) => `${path}@${version}`

const pin = (path = '', version = ''): Pin => ({ path, version })

/** Yields each line with its verb, for blocks and single lines alike. */
function* directives(goMod: string): Generator<{ verb: string; tokens: string[] }> {
  let block = ''
  for (const line of goMod.split('\n')) {
    const tokens = line
      .replace(/\/\/.*/, '')
      .trim()
      .split(/\s+/)
    if (tokens[0] === ')') block = ''
    else if (tokens[1] === '(') block = tokens[0] ?? ''
    else if (block) yield { verb: block, tokens }
    else yield { verb: tokens[0] ?? '', tokens: tokens.slice(1) }
  }
}
