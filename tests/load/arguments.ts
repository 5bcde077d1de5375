import { StackFault } from '@filmgate/tools/stack/fault'

export const usage = `Usage: bun run test:load [generations] [seed]

Whole numbers, of at most nine digits; 600 generations and seed 1 without them.`

export function readCall(words: string[]): { generations: number; seed: number } {
  const [generations = 600, seed = 1] = words.map(Number)
  if (words.length > 2 || !words.every(word => /^\d{1,9}$/.test(word)) || generations === 0)
    throw new StackFault(`This is no number of generations and a seed: ${words.join(' ')}\n\n${usage}`)
  return { generations, seed }
}
