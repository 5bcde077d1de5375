import { settings } from '../../support/settings'
import { fillSample, programsOf, programsOfPages, readExamples, samples } from './programs'

/** Programs on the pages of the running gateway that are neither samples, filled for one of its models and modes, nor in a guide. */
export async function unknownPrograms(): Promise<string[]> {
  const response = await fetch(`${new URL(settings.url).origin}/docs/llms-full.txt`)
  const shown = programsOf('the reference', await response.text())
  if (shown.length === 0) throw new Error(`the reference shows no program: ${response.status}`)
  const examples = [...(await readExamples()).values()]
  const filled = samples().flatMap(({ sample, files }) => files.flatMap(file => examples.map(body => fillSample(sample, file, body))))
  const known = new Set([...filled, ...programsOfPages()].map(({ text }) => asShown(text)))
  return shown.map(({ text }) => asShown(text)).filter(text => !known.has(text))
}

/** Pages have one empty line in a row at most. */
const asShown = (text: string): string => text.trim().replaceAll(/\n{3,}/g, '\n\n')
