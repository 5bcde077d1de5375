import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import { MediaRejectedSchema } from '@filmgate/proto/gen/filmgate/v1/media_pb'
import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import type { Report } from '../../support/suite/report'
import { openMediaHost } from '../support/media-host'
import { openMediaTopics } from '../support/media-topics'
import { keepLog, openProbe } from '../support/probe-process'
import { arguedRefusals } from './argued-refusals'
import { type Decided, decide } from './decide'
import { allRecipes } from './families/all'
import { proveJudge } from './judge/broken-copies'
import { type Look, showInChromium } from './judge/chromium'
import { judge } from './judge/judge'
import type { Copy } from './judge/judge-movie'
import type { Recipe } from './recipe'

const inFlightMax = 10
const recipesMin = 600
const refusedShareMax = 0.01
const progressEvery = 100

export type Judged<One extends Recipe = Recipe> = Decided<One> & { faults: string[] }

/** Legitimate files as devices and tools write them: taken, and their copies are whole, plain and what the recipe says. */
export async function proveCorpus(report: Report, prefix: string): Promise<void> {
  await proveJudge(report)
  const [wanted, every] = [process.env.MEDIA_RECIPES ?? '', Number(process.env.MEDIA_RECIPES_EVERY ?? 1)]
  const recipes = allRecipes().filter(({ family, name }, at) => `${family} · ${name}`.includes(wanted) && at % every === 0)
  const judged = await judgeAll(recipes, prefix, judge, addChromium)
  report.check('the corpus is large enough', wanted !== '' || every > 1 || recipes.length >= recipesMin, `${recipes.length} recipes`)
  tellRefusals(report, judged)
  for (const { recipe, faults } of judged) report.check(`copy of ${recipe.family} · ${recipe.name}`, faults.length === 0, faults.join('; '))
}

/** Decides every recipe and judges every copy, many at once; `after` sees them all while the copies are still there. */
export async function judgeAll<One extends Recipe>(
  recipes: One[],
  prefix: string,
  judgeCopy: (copy: Copy, recipe: One) => Promise<string[]>,
  after: (judged: Judged<One>[]) => Promise<void> = async () => undefined,
): Promise<Judged<One>[]> {
  const folder = await mkdtemp(join(tmpdir(), 'media-corpus-'))
  const [host, topics] = [await openMediaHost(), await openMediaTopics(prefix)]
  const probe = await openProbe({ prefix, env: host.env })
  try {
    await probe.start()
    const judged: Judged<One>[] = []
    let next = 0
    const work = async () => {
      for (let index = next++; index < recipes.length; index = next++) {
        const recipe = recipes[index]
        if (!recipe) continue
        const decided = await decide({ host, topics, probe, folder }, recipe, index).catch(
          (error): Decided<One> => ({
            recipe,
            outcome: { code: `not decided: ${error}`.slice(0, 500), rejected: create(MediaRejectedSchema) },
            seconds: 0,
          }),
        )
        judged.push({ ...decided, faults: decided.copy ? await judgeCopy(decided.copy, recipe) : [] })
        if (judged.length % progressEvery === 0) console.log(`  ${judged.length} of ${recipes.length} files`)
      }
    }
    await Promise.all(Array.from({ length: inFlightMax }, work))
    await after(judged)
    return judged
  } finally {
    await probe.stop()
    await keepLog(prefix, probe.log())
    await topics.stop()
    await host.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const looks: Partial<Record<MediaKind, Look['how']>> = {
  [MediaKind.IMAGE]: 'picture',
  [MediaKind.VIDEO]: 'movie',
  [MediaKind.AUDIO]: 'sound',
}

async function addChromium(judged: Judged[]): Promise<void> {
  const shown = judged.filter(({ copy, recipe }) => copy && recipe.known.chromium)
  const seen = await showInChromium(shown.map(({ copy, recipe }) => ({ path: copy?.path ?? '', how: looks[recipe.kind] ?? 'picture' })))
  for (const { copy, recipe, faults } of shown) {
    const look = seen.get(copy?.path ?? '')
    if (!look) continue
    const { known, kind } = recipe
    if (look.fault) faults.push(`Chromium: ${look.fault}`)
    else if (look.width !== (known.shown ?? known).width || look.height !== (known.shown ?? known).height)
      faults.push(`Chromium: ${look.width} × ${look.height}`)
    else if (kind !== MediaKind.IMAGE && Math.abs(look.seconds - known.seconds) > known.frameSeconds + 0.03)
      faults.push(`Chromium: ${look.seconds} s, ${known.seconds} s known`)
  }
}

/** A table of families: how many of how many were taken, and each refusal with its words. */
function tellRefusals(report: Report, judged: Judged[]): void {
  const refused = judged.filter(({ copy }) => !copy)
  for (const [family, files] of Map.groupBy(judged, ({ recipe }) => recipe.family))
    report.figure(`corpus.accepted.${family}`, `${files.filter(({ copy }) => copy).length} of ${files.length}`)
  for (const { recipe, outcome } of refused) {
    const name = `${recipe.family} · ${recipe.name}`
    const words = `${outcome.code}: ${outcome.rejected?.message ?? ''} (${outcome.rejected?.measured ?? ''})`
    report.figure(`corpus.refused.${name}`, words)
    report.check(`${name} is taken`, name in arguedRefusals, words)
  }
  const share = refused.length / Math.max(1, judged.length)
  report.check('at most one in a hundred is refused', share <= refusedShareMax, `${refused.length} of ${judged.length}`)
  report.figure('corpus.files', judged.length)
  report.figure('corpus.refused', refused.length)
  report.figure('corpus.unlike_their_recipe', judged.filter(({ faults }) => faults.length).length)
  report.figure('corpus.without_chromium', judged.filter(({ copy, recipe }) => copy && !recipe.known.chromium).length)
  report.figure('corpus.decision_seconds_at_most', Math.max(0, ...judged.map(({ seconds }) => seconds)))
}
