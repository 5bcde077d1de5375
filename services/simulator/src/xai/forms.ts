import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'

/** What is wrong with a request, and the status that xAI has for it. */
export type Fault = { status: 400 | 404 | 422; message: string }

const closed = { additionalProperties: false }
const Address = Type.Object({ url: Type.String({ minLength: 1, maxLength: 4096, pattern: '^(https?://|data:)' }) }, closed)
const oneOf = (...values: string[]) => Type.Optional(Type.Union(values.map(value => Type.Literal(value))))
const optional = <T extends TSchema>(type: T) => Type.Optional(type)

/**
 * GenerateVideoRequest of xAI's OpenAPI document, without what isn't made here: keyframes, reference_audios, output, storage_options. xAI leaves
 * unknown fields out of account; here a slip must show.
 */
const Body = Type.Object(
  {
    model: Type.String({ minLength: 1, maxLength: 100 }),
    prompt: optional(Type.String()),
    duration: optional(Type.Integer()),
    aspect_ratio: oneOf('1:1', '16:9', '9:16', '4:3', '3:4', '3:2', '2:3'),
    resolution: oneOf('480p', '720p', '1080p'),
    /** xai-sdk 1.21.0 (video.py: true unless it is said) and @ai-sdk/xai 5.0.12 (November 2026). No source has a `seed`. */
    generate_audio: optional(Type.Boolean()),
    image: optional(Address),
    reference_images: optional(Type.Array(Address, { minItems: 1 })),
    user: optional(Type.String()),
  },
  closed,
)
export type Body = Static<typeof Body>
const bodyForm = TypeCompiler.Compile(Body)

/** docs.x.ai/developers/models; the lengths beside references, and that 1080p has none, second-hand (measured). */
const models: Record<string, { resolutions: string[]; referenceSecondsMax: number }> = {
  'grok-imagine-video': { resolutions: ['480p', '720p'], referenceSecondsMax: 10 },
  'grok-imagine-video-1.5': { resolutions: ['480p', '720p', '1080p'], referenceSecondsMax: 15 },
}

const secondsMax = 15
/** Of UTF-8, second-hand: a shorter text in Chinese was refused by it. */
const promptBytesMax = 4096
/** docs.x.ai/developers/model-capabilities/video/reference-to-video. */
const referencesMax = 7

/** A request of that form, or what is wrong with it. */
export function readBody(given: unknown): { body: Body } | { fault: Fault } {
  if (!bodyForm.Check(given)) {
    const [first] = bodyForm.Errors(given)
    return { fault: { status: 422, message: `Failed to deserialize the JSON body: ${first?.path || '/'}: ${first?.message}` } }
  }
  const fault = faultOf(given)
  return fault ? { fault } : { body: given }
}

function faultOf(body: Body): Fault | undefined {
  const { model, prompt = '', duration = 8, resolution = '480p', image, reference_images: references = [] } = body
  const form = Object.hasOwn(models, model) ? models[model] : undefined
  if (!form) return { status: 404, message: `The model ${model} does not exist or your team does not have access to it.` }
  if (prompt === '' && !image) return argument('Prompt cannot be empty. Please provide a prompt.')
  if (Buffer.byteLength(prompt) > promptBytesMax) return argument(`Prompt length exceeds the maximum allowed length of ${promptBytesMax}`)
  if (duration < 1 || duration > secondsMax) return argument(`Duration must be between 1 and ${secondsMax} seconds`)
  if (!form.resolutions.includes(resolution)) return argument(`${resolution} video resolution is not supported for this model.`)
  if (references.length === 0) return undefined
  if (image) return argument('image and reference_images cannot be combined.')
  if (references.length > referencesMax)
    return argument(`Too many reference images: ${references.length}. Maximum allowed is ${referencesMax}.`)
  if (resolution === '1080p') return argument('1080p video resolution is not supported for reference-to-video requests.')
  const { referenceSecondsMax } = form
  return duration > referenceSecondsMax
    ? argument(`Duration ${duration}s exceeds the maximum allowed for reference-to-video, which is ${referenceSecondsMax}s.`)
    : undefined
}

const argument = (message: string): Fault => ({ status: 400, message })
