import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { allRecipes } from '../media/corpus/families/all'
import { judge } from '../media/corpus/judge/judge'
import { judgeAll } from '../media/corpus/suite'

const testTimeoutMs = 240_000

// The short form of `bun run test:media corpus`: one or two of each family, judged by ffmpeg and whatever strict readers this machine has.
test(
  'files as devices and tools write them are taken, and their copies hold picture and sound and nothing else',
  async () => {
    const recipes = allRecipes().filter(({ short }) => short)
    const judged = await judgeAll(recipes, `clean-copies-${randomUUID().slice(0, 8)}`, judge)
    const wrong = judged.flatMap(({ recipe, outcome, faults }) => {
      const name = `${recipe.family} · ${recipe.name}`
      if (outcome.code !== 'verified') return [`${name}: ${outcome.code} ${outcome.rejected?.measured}`]
      return faults.length ? [`${name}: ${faults.join('; ')}`] : []
    })
    expect(wrong).toEqual([])
    expect(judged.length).toBe(recipes.length)
  },
  testTimeoutMs,
)
