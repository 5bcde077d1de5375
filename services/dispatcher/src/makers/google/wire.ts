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
const faultForm = TypeCompiler.Compile(Type.Object({ error: Fault }))

/** What an answer says is wrong with the call. Google's front end puts it into a list (second-hand). */
export function faultOf(body: unknown): Fault | undefined {
  const answer: unknown = Array.isArray(body) ? body[0] : body
  return faultForm.Check(answer) ? answer.error : undefined
}

const word = /^[A-Za-z0-9_.-]{1,100}$/
/** A word of Google's for a kind of fault, where it is one that a log and a row can hold. */
export function wordOf({ status, code }: Fault): string {
  const named = [status, code].find(value => typeof value === 'string' && word.test(value))
  return typeof named === 'string' ? named : typeof code === 'number' ? `code ${code}` : 'no code'
}

const Operation = Type.Object({
  name: Type.String({ pattern: operationName }),
  done: Type.Optional(Type.Boolean()),
  error: Type.Optional(Fault),
  response: Type.Optional(
    Type.Object({
      generateVideoResponse: Type.Optional(
        Type.Object({
          generatedSamples: Type.Optional(Type.Array(Type.Object({ video: Type.Optional(Type.Object({ uri: Type.Optional(Type.Unknown()) })) }))),
          raiMediaFilteredCount: Type.Optional(Type.Number()),
        }),
      ),
    }),
  ),
})
export type Operation = Static<typeof Operation>
export const operationForm = TypeCompiler.Compile(Operation)

const Content = Type.Object({ type: Type.String(), uri: Type.Optional(Type.Unknown()), data: Type.Optional(Type.Unknown()) })
export type Content = Static<typeof Content>
const Interaction = Type.Object({
  id: Type.String({ pattern: interactionId }),
  status: Type.String({ maxLength: 100 }),
  labels: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  steps: Type.Optional(Type.Array(Type.Object({ type: Type.String(), content: Type.Optional(Type.Array(Content)) }))),
  output_video: Type.Optional(Type.Union([Content, Type.Null()])),
  error: Type.Optional(Type.Union([Fault, Type.Null()])),
  errors: Type.Optional(Type.Union([Type.Array(Fault), Type.Null()])),
  usage: Type.Optional(
    Type.Union([
      Type.Object({
        output_tokens_by_modality: Type.Optional(Type.Array(Type.Object({ modality: Type.Optional(Type.String()) }))),
      }),
      Type.Null(),
    ]),
  ),
})
export type Interaction = Static<typeof Interaction>
export const interactionForm = TypeCompiler.Compile(Interaction)

/** Our own id, under the one label that we give. */
export const ownLabel = 'attempt'
export const attemptIdOf = ({ labels }: Interaction): string | null => {
  const own = labels?.[ownLabel]
  return typeof own === 'string' ? own : null
}

const fileForm = TypeCompiler.Compile(Type.Object({ state: Type.String() }))
export const fileStateOf = (body: unknown): string | undefined => (fileForm.Check(body) ? body.state : undefined)

/** Printable ASCII, as a URL on the wire is; a row can't hold every other string. Anything else is as good as no URL. */
const urlForm = /^https?:\/\/[!-~]{1,4096}$/
export const urlOf = (value: unknown): string | undefined => (typeof value === 'string' && urlForm.test(value) ? value : undefined)
