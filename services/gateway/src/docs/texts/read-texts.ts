import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Texts = {
  /** Markdown by the name of its guide. */
  guides: Record<string, string>
  /** Templates by sample and file, such as `typescript.ts`. */
  samples: Record<string, Record<string, string>>
  changelog: string
}

/** A macro: it runs while the gateway is bundled, so that an image holds the texts without their files. */
export function readTexts(): Texts {
  const folder = join(import.meta.dir, '..')
  const filesOf = (path: string) =>
    readdirSync(path, { withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(({ name }) => name)
      .sort()
  const read = (...path: string[]) => readFileSync(join(folder, ...path), 'utf8')
  const guides = filesOf(join(folder, 'guides')).filter(name => /^[a-z0-9-]+\.md$/.test(name))
  const samples = readdirSync(join(folder, 'samples'), { withFileTypes: true }).filter(entry => entry.isDirectory())
  return {
    guides: Object.fromEntries(guides.map(name => [name.slice(0, -3), read('guides', name)])),
    samples: Object.fromEntries(
      samples.map(({ name }) => [
        name,
        Object.fromEntries(filesOf(join(folder, 'samples', name)).map(file => [file, read('samples', name, file)])),
      ]),
    ),
    changelog: read('changelog.md'),
  }
}
