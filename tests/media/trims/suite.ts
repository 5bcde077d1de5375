import type { Report } from '../../support/suite/report'
import { judgeAll } from '../corpus/suite'
import { judgeTrim } from './judge-trim'
import { trimRecipes } from './recipes'

const clipsMin = 300

/**
 * Trimmed, re-timed and re-wrapped clips, as phones and editors write them: all are taken, and a copy holds the frames
 * and the sound that an independent player shows. `MEDIA_RECIPES` and `MEDIA_RECIPES_EVERY` run a part of them.
 */
export async function proveTrims(report: Report, prefix: string): Promise<void> {
  const [wanted, every] = [process.env.MEDIA_RECIPES ?? '', Number(process.env.MEDIA_RECIPES_EVERY ?? 1)]
  const recipes = trimRecipes().filter(({ family, name }, at) => `${family} · ${name}`.includes(wanted) && at % every === 0)
  const judged = await judgeAll(recipes, prefix, judgeTrim)
  report.check('there are enough clips', wanted !== '' || every > 1 || recipes.length >= clipsMin, `${recipes.length}`)
  for (const { recipe, outcome, copy, faults } of judged) {
    const words = copy ? faults.join('; ') : `${outcome.code}: ${outcome.rejected?.measured ?? ''}`
    report.check(`${recipe.family} · ${recipe.name}`, copy !== undefined && faults.length === 0, words)
  }
  report.figure('trims.clips', judged.length)
  report.figure('trims.refused', judged.filter(({ copy }) => !copy).length)
  report.figure('trims.decision_seconds_at_most', Math.max(0, ...judged.map(({ seconds }) => seconds)))
}
