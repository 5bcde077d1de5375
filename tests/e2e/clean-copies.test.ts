import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { allRecipes } from '../media/corpus/families/all'
import { judge } from '../media/corpus/judge/judge'
import type { Recipe } from '../media/corpus/recipe'
import { type Judged, judgeAll } from '../media/corpus/suite'
import { judgeTrim } from '../media/trims/judge-trim'
import { trimRecipes } from '../media/trims/recipes'

const testTimeoutMs = 240_000

const wrongOf = (judged: Judged<Recipe>[]) =>
  judged.flatMap(({ recipe, outcome, faults }) => {
    const name = `${recipe.family} · ${recipe.name}`
    if (outcome.code !== 'verified') return [`${name}: ${outcome.code} ${outcome.rejected?.measured}`]
    return faults.length ? [`${name}: ${faults.join('; ')}`] : []
  })

const seed = Number(process.env.FILMGATE_TEST_SEED ?? Date.now())

/** A sixth of the short recipes, chosen by the seed. */
const chosen = <One extends Recipe>(recipes: One[]): One[] =>
  recipes.filter(({ short }) => short).filter((_, index) => (index + seed) % 6 === 0)

// The short form of `bun run test:media corpus`: one or two of each family, judged by ffmpeg and whatever strict readers this machine has.
test(
  'files as devices and tools write them are taken, and their copies hold picture and sound and nothing else',
  async () => {
    const recipes = chosen(allRecipes())
    const judged = await judgeAll(recipes, `clean-copies-${randomUUID().slice(0, 8)}`, judge)
    expect(wrongOf(judged)).toEqual([])
    expect(judged.length).toBe(recipes.length)
  },
  testTimeoutMs,
)

// The short form of `bun run test:media trims`: one or two of each way of cutting.
test(
  'trimmed clips are taken, and their copies hold what a player shows of them, frame by frame',
  async () => {
    const recipes = chosen(trimRecipes())
    const judged = await judgeAll(recipes, `trims-${randomUUID().slice(0, 8)}`, judgeTrim)
    expect(wrongOf(judged)).toEqual([])
    expect(judged.length).toBe(recipes.length)
  },
  testTimeoutMs,
)
