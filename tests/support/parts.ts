import { needKnown } from '@filmgate/tools/stack/arguments'

/** The parts that the call of a suite names, or all where it names none, in the suite's order. */
export function partsNamed<N extends string>(known: readonly N[], words: string[]): N[] {
  needKnown('part', words, known)
  return known.filter(name => words.length === 0 || words.includes(name))
}
