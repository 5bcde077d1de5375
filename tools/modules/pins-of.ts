export type Pin = { path: string; version: string }

/** The versions that a go.mod builds with: what it requires, where nothing replaces it, and what replaces it. */
export function pinsOf(goMod: string): Pin[] {
  const replaced = new Map<string, Pin>()
  const required: Pin[] = []
  for (const { verb, words } of directives(goMod)) {
    const arrow = words.indexOf('=>')
    if (verb === 'replace' && words[0] && arrow > 0) replaced.set(words[0], pin(words[arrow + 1], words[arrow + 2]))
    if (verb === 'require' && words[1]) required.push(pin(words[0], words[1]))
  }
  const used = required.map(one => replaced.get(one.path) ?? one)
  return [...new Map(used.map(one => [nameOf(one), one])).values()]
}

export const nameOf = ({ path, version }: Pin) => `${path}@${version}`

const pin = (path = '', version = ''): Pin => ({ path, version })

/** Each line with the verb that it stands under, `require (…)` and `require …` alike. */
function* directives(goMod: string): Generator<{ verb: string; words: string[] }> {
  let block = ''
  for (const line of goMod.split('\n')) {
    const words = line
      .replace(/\/\/.*/, '')
      .trim()
      .split(/\s+/)
    if (words[0] === ')') block = ''
    else if (words[1] === '(') block = words[0] ?? ''
    else if (block) yield { verb: block, words }
    else yield { verb: words[0] ?? '', words: words.slice(1) }
  }
}
