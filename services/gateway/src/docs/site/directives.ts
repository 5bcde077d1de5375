import { type Example, firstExample, templatesOf } from '../examples/examples'
import { blocks, fence } from '../markdown/write'
import { filled } from '../samples/fill'
import type { Site } from './site'

/** The request that samples show until a reader chooses another. */
export function defaultExample({ catalog }: Site): Example | undefined {
  const model = catalog.models.get(catalog.defaultModel) ?? [...catalog.models.values()][0]
  return model && firstExample(model.card)
}

const directiveLine = /^<!--\s*([a-z-]+)(?::\s*(\S+))?\s*-->$/gm

/** A page for programs: samples in all languages, and nothing of what needs a browser. */
export const twinOf = (site: Site, markdown: string): string =>
  `${markdown
    .replace(directiveLine, (_, name: string, argument = '') => {
      const model = site.catalog.models.get(argument)
      if (name === 'sample') return sampleText(argument, defaultExample(site))
      if (name === 'model-sample') return sampleText('first-video', model && firstExample(model.card))
      return ''
    })
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`

const sampleText = (sample: string, example: Example | undefined): string =>
  blocks(
    ...templatesOf(sample).flatMap(([{ name, fence: language }, template]) => [
      `${name}:`,
      fence(example ? filled(template, example) : template, language),
    ]),
  )
