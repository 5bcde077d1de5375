import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'

/**
 * Google's answers, as its published clients read them: operations and files in @google/genai 2.32.0 (generateVideosOperationFromMldev),
 * interactions in google-genai 3.4.0 (_gaos/types/interactions); ai.google.dev/gemini-api/docs/video, …/omni.
 */

/**
 * Ids go into URLs and rows, and an operator can name one of up to 200 characters. An operation's is its whole name, an interaction's one word:
 * neither can be taken for the other.
 */
const operationName = '^models/[A-Za-z0-9._-]{1,60}/operations/[A-Za-z0-9_-]{1,120}$'
const interactionId = '^[A-Za-z0-9_-]{1,200}$'
const isLike = (pattern: string) => {
  const form = new RegExp(pattern)
  return (id: string): boolean => form.test(id)
}
export const isOperation = isLike(operationName)
export const isInteraction = isLike(interactionId)

/** google.rpc.Status, as it is within an answer and as what became of an operation; interactions put a word where others have a number. */
const Fault = Type.Object({
  code: Type.Optional(Type.Unknown()),
  message: Type.Optional(Type.Unknown()),
  status: Type.Optional(Type.Unknown()),
  details: Type.Optional(Type.Unknown()),
})
export type Fault = Static<typeof Fault>
const faultForm = TypeCompiler.Compile(Fault)
export const faultIn = (value: unknown): Fault | undefined => (faultForm.Check(value) ? value : undefined)

const refusalForm = TypeCompiler.Compile(Type.Object({ error: Fault }))

/** What an answer says is wrong with the call. Google's front end puts it into a list (second-hand). */
export function faultOf(body: unknown): Fault | undefined {
  const answer: unknown = Array.isArray(body) ? body[0] : body
  return refusalForm.Check(answer) ? answer.error : undefined
}

const word = /^[A-Za-z0-9_.-]{1,100}$/
/** A word of Google's for a kind of fault, where it is one that a log and a row can hold. */
export function wordOf({ status, code }: Fault): string {
  const named = [status, code].find(value => typeof value === 'string' && word.test(value))
  return typeof named === 'string' ? named : typeof code === 'number' ? `code ${code}` : 'no code'
}

/** Of both only what every answer has; the rest is read where it is needed, so that an odd field makes no answer unreadable. */
const Operation = Type.Object({
  name: Type.String({ pattern: operationName }),
  done: Type.Optional(Type.Unknown()),
  error: Type.Optional(Type.Unknown()),
  response: Type.Optional(Type.Unknown()),
})
export type Operation = Static<typeof Operation>
export const operationForm = TypeCompiler.Compile(Operation)

const Interaction = Type.Object({
  id: Type.String({ pattern: interactionId }),
  status: Type.String({ maxLength: 100 }),
  labels: Type.Optional(Type.Unknown()),
  steps: Type.Optional(Type.Unknown()),
  output_video: Type.Optional(Type.Unknown()),
  error: Type.Optional(Type.Unknown()),
  errors: Type.Optional(Type.Unknown()),
  usage: Type.Optional(Type.Unknown()),
})
export type Interaction = Static<typeof Interaction>
export const interactionForm = TypeCompiler.Compile(Interaction)

const videosForm = TypeCompiler.Compile(
  Type.Object({
    generateVideoResponse: Type.Object({
      generatedSamples: Type.Optional(Type.Array(Type.Unknown())),
      raiMediaFilteredCount: Type.Optional(Type.Number()),
    }),
  }),
)
const sampleForm = TypeCompiler.Compile(Type.Object({ video: Type.Object({ uri: Type.Unknown() }) }))

/** What an operation has made: its videos, of which one without an address is undefined, and how many were withheld. */
export function madeBy({ response }: Operation): { urls: (string | undefined)[]; withheld: number } {
  const { generatedSamples = [], raiMediaFilteredCount = 0 } = videosForm.Check(response) ? response.generateVideoResponse : {}
  const urls = generatedSamples.map(sample => (sampleForm.Check(sample) ? urlOf(sample.video.uri) : undefined))
  return { urls, withheld: raiMediaFilteredCount }
}

/** Our own id, under the one label that we give. */
export const ownLabel = 'attempt'
const labelsForm = TypeCompiler.Compile(Type.Object({ [ownLabel]: Type.String() }))
export const attemptIdOf = ({ labels }: Interaction): string | null => (labelsForm.Check(labels) ? labels[ownLabel] : null)

const Content = Type.Object({ type: Type.String(), uri: Type.Optional(Type.Unknown()) })
export type Content = Static<typeof Content>
const contentForm = TypeCompiler.Compile(Content)
const stepForm = TypeCompiler.Compile(Type.Object({ type: Type.String(), content: Type.Optional(Type.Unknown()) }))
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value])
const readContent = (value: unknown): Content => (contentForm.Check(value) ? value : { type: 'unreadable' })

/** What the model put out. `output_video` is added by Google's clients; an answer itself has steps. */
export const contentsOf = ({ steps, output_video: video }: Interaction): Content[] =>
  [
    ...listOf(steps).flatMap(step => {
      if (!stepForm.Check(step)) return [undefined]
      return step.type === 'model_output' ? listOf(step.content) : []
    }),
    ...listOf(video),
  ].map(readContent)

const usageForm = TypeCompiler.Compile(Type.Object({ output_tokens_by_modality: Type.Array(Type.Object({ modality: Type.String() })) }))

/** In which forms something was put out, by what was counted of it; undefined where nothing was. */
export function modalitiesOf({ usage }: Interaction): string[] | undefined {
  const counted = usageForm.Check(usage) ? usage.output_tokens_by_modality : []
  return counted.length > 0 ? counted.map(({ modality }) => modality.toLowerCase()) : undefined
}

const fileForm = TypeCompiler.Compile(Type.Object({ state: Type.String() }))
export const fileStateOf = (body: unknown): string | undefined => (fileForm.Check(body) ? body.state : undefined)

/** Printable ASCII, as a URL on the wire is; a row can't hold every other string. Anything else is as good as no URL. */
const urlForm = /^https?:\/\/[!-~]{1,4096}$/
export const urlOf = (value: unknown): string | undefined => (typeof value === 'string' && urlForm.test(value) ? value : undefined)
