import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { allRecipes } from '../corpus/families/all'
import { runTool } from '../corpus/judge/run-tool'
import type { Extension } from '../corpus/recipe'
import { marker } from './markers'
import type { Planted } from './planted'

/** What exiftool can write everywhere, or nearly: it leaves out what a format has no place for. */
const tags = (words: string) => [
  '-GPSLatitude=48.117312',
  '-GPSLongitude=11.516789',
  '-GPSLatitudeRef=N',
  '-GPSLongitudeRef=E',
  ...[
    'Artist',
    'Copyright',
    'ImageDescription',
    'SerialNumber',
    'LensSerialNumber',
    'OwnerName',
    'Comment',
    'XMP:Creator',
    'XMP:Title',
    'XMP:PersonInImage',
    'IPTC:By-line',
    'IPTC:City',
    'XPAuthor',
    'UserComment',
    'Keys:Author',
    'UserData:Author',
    'ItemList:Title',
  ].map(name => `-${name}=${words}`),
  '-AllDates=2019:08:07 06:05:04',
]
const formats: Extension[] = ['jpeg', 'png', 'webp', 'mp4', 'mov']
const each = 6

/** Files of the corpus with everything in them that exiftool knows to write. */
export function plantedWithExiftool(): Planted[] {
  const recipes = allRecipes()
  return formats.flatMap(extension =>
    recipes
      .filter(recipe => recipe.extension === extension && recipe.short && !recipe.family.startsWith('behind'))
      .slice(0, each)
      .map(recipe => {
        const words = marker(`exiftool ${recipe.family} ${recipe.name}`)
        return {
          words: [words],
          recipe: {
            ...recipe,
            family: `exiftool on ${extension}`,
            name: `${recipe.family} · ${recipe.name}`,
            make: async () => write(await recipe.make(), extension, words),
          },
        }
      }),
  )
}

async function write(file: Buffer, extension: string, words: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'media-tags-'))
  try {
    const path = join(folder, `file.${extension}`)
    await writeFile(path, file)
    await runTool(['exiftool', '-q', '-q', '-m', '-overwrite_original', ...tags(words), path])
    return await readFile(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
