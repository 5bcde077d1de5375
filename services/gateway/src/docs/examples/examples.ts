import type { ModelCard, ModelMode } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { exampleOf } from '../open-api/example-of'
import { type Filling, fillingOf } from '../samples/fill'
import { texts } from '../texts/texts'

/** The languages of samples, in the order of their tabs, and the files that hold them. */
export const languages = [
  { id: 'curl', name: 'curl', file: 'curl.sh', fence: 'sh' },
  { id: 'typescript', name: 'TypeScript', file: 'typescript.ts', fence: 'ts' },
  { id: 'python', name: 'Python', file: 'python.py', fence: 'python' },
  { id: 'cli', name: 'CLI', file: 'cli.sh', fence: 'sh' },
  { id: 'openai', name: 'OpenAI SDK', file: 'openai.py', fence: 'python' },
  { id: 'ai-sdk', name: 'AI SDK', file: 'ai-sdk.ts', fence: 'ts' },
] as const
export type Language = (typeof languages)[number]

/** A model's example as samples show it. */
export type Example = Filling & { mode: string }

export const exampleFor = (card: ModelCard, mode: ModelMode): Example => ({ ...fillingOf(exampleOf(card, mode)), mode: mode.name })

/** Of the mode that a request gets which names none, or of the first. */
export function firstExample(card: ModelCard): Example | undefined {
  const mode = card.modes.find(({ name }) => name === card.defaultMode) ?? card.modes[0]
  return mode && exampleFor(card, mode)
}

/** The languages that a sample is there in, with their templates. */
export const templatesOf = (sample: string): [Language, string][] =>
  languages.flatMap((language): [Language, string][] => {
    const template = texts.samples[sample]?.[language.file]
    return template === undefined ? [] : [[language, template]]
  })
