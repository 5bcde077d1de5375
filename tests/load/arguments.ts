import { StackFault } from '@filmgate/tools/stack/fault'

export const usage = `Usage: bun run test:load [generations] [seed]

Whole numbers, of at most nine digits; 600 generations and seed 1 without them.`

export type Call = { generations: number; seed: number }

export function readCall(words: string[]): Call {
  const [generations = 600, seed = 1] = words.map(Number)
  if (words.length > 2 || !words.every(word => /^\d{1,9}$/.test(word)) || generations === 0)
    throw new StackFault(`This is not a number of generations and a seed: ${words.join(' ')}\n\n${usage}`)
  return { generations, seed }
}
