import { buildVerb } from './build'
import { generateVerb } from './generate/generate'
import { publishVerb } from './publish'
import type { Verb } from './verb'

/** By their names on the command line. */
export const verbs: Record<string, Verb> = { generate: generateVerb, build: buildVerb, publish: publishVerb }
