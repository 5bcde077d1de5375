import { readFile } from 'node:fs/promises'
import type { Report } from '../../support/suite/report'
import { judge } from '../corpus/judge/judge'
import type { Copy } from '../corpus/judge/judge-movie'
import { judgeAll } from '../corpus/suite'
import { markersIn } from './markers'
import { plantedMovies } from './movies'
import { plantedPictures } from './pictures'
import { readTags } from './read-tags'
import { plantedSounds } from './sounds'
import { plantedWithExiftool } from './with-exiftool'

/** Nothing that tells of a person, a place or a device is in what providers are given. */
export async function proveMetadata(report: Report, prefix: string): Promise<void> {
  const planted = [...plantedPictures(), ...plantedMovies(), ...plantedSounds(), ...plantedWithExiftool()]
  const words = planted.flatMap(one => one.words)
  for (const { recipe, words: own } of planted) {
    // zTXt and its like hold their words packed: the tags of the copy are the witness there.
    const found = markersIn(await recipe.make(), own)
    report.check(
      `words are planted in ${recipe.family} · ${recipe.name}`,
      found.length > 0 || /packed|zTXt|dates|raw/.test(recipe.name),
      'they are not in the file',
    )
  }
  const judged = await judgeAll(
    planted.map(({ recipe }) => recipe),
    prefix,
    async copy => [...(await judge(copy)), ...(await left(copy, words))],
  )
  for (const { recipe, outcome, copy, faults } of judged) {
    const name = `${recipe.family} · ${recipe.name}`
    report.check(
      `${name} is taken`,
      copy !== undefined,
      `${outcome.code}: ${outcome.rejected?.message ?? ''} (${outcome.rejected?.measured ?? ''})`,
    )
    report.check(`nothing is left of ${name}`, faults.length === 0, faults.join('; '))
  }
  report.figure('metadata.files', judged.length)
  report.figure('metadata.markers', words.length)
}

async function left({ path }: Copy, words: string[]): Promise<string[]> {
  const markers = markersIn(await readFile(path), words)
  return [...(markers.length ? [`the words ${markers.join(', ')}`] : []), ...(await readTags(path))]
}
