import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'

/**
 * What Google takes. Operations: @google/genai 2.32.0 (generateVideosParametersToMldev) and ai.google.dev/gemini-api/docs/video; interactions:
 * google-genai 3.4.0 (_gaos/types/interactions) and …/omni. Stricter than Google: of what our models don't need, nothing is known here.
 */
const strict = { additionalProperties: false }
const oneOf = <T extends string | number>(...values: T[]) => Type.Union(values.map(value => Type.Literal(value)))
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)

const mimeType = oneOf('image/jpeg', 'image/png', 'image/webp')
const base64 = Type.String({ minLength: 4 })
const addresses = Type.Array(Type.String({ pattern: '^https?://', maxLength: 2048 }), { minItems: 1, maxItems: 10 })

const Bytes = Type.Object({ bytesBase64Encoded: base64, mimeType }, strict)
const OperationRequest = Type.Object(
  {
    instances: Type.Array(
      Type.Object(
        {
          prompt: Type.String({ minLength: 1 }),
          image: optional(Bytes),
          lastFrame: optional(Bytes),
          referenceImages: optional(
            Type.Array(Type.Object({ image: Bytes, referenceType: Type.Literal('asset') }, strict), { minItems: 1, maxItems: 3 }),
          ),
        },
        strict,
      ),
      { minItems: 1, maxItems: 1 },
    ),
    parameters: Type.Object(
      {
        sampleCount: optional(Type.Literal(1)),
        durationSeconds: optional(oneOf(4, 6, 8)),
        aspectRatio: optional(oneOf('16:9', '9:16')),
        resolution: optional(oneOf('720p', '1080p', '4k')),
        negativePrompt: optional(Type.String()),
        personGeneration: optional(Type.String()),
      },
      strict,
    ),
    webhookConfig: optional(Type.Object({ uris: addresses }, strict)),
  },
  strict,
)
export type OperationRequest = Static<typeof OperationRequest>
export const operationForm = TypeCompiler.Compile(OperationRequest)

const Text = Type.Object({ type: Type.Literal('text'), text: Type.String({ minLength: 1 }) }, strict)
const Image = Type.Object({ type: Type.Literal('image'), data: base64, mime_type: mimeType }, strict)
const InteractionRequest = Type.Object(
  {
    model: Type.String(),
    input: Type.Union([Type.String({ minLength: 1 }), Type.Array(Type.Union([Text, Image]), { minItems: 1, maxItems: 11 })]),
    response_format: Type.Object(
      {
        type: Type.Literal('video'),
        delivery: Type.Literal('uri'),
        aspect_ratio: optional(oneOf('16:9', '9:16')),
        resolution: optional(oneOf('360p', '720p', '1080p', '4k')),
        duration: optional(Type.String({ pattern: '^([3-9]|10)s$' })),
      },
      strict,
    ),
    generation_config: optional(
      Type.Object(
        { video_config: Type.Object({ task: optional(oneOf('text_to_video', 'image_to_video', 'reference_to_video')) }, strict) },
        strict,
      ),
    ),
    background: Type.Literal(true),
    store: optional(Type.Literal(true)),
    labels: optional(
      Type.Record(Type.String({ pattern: '^[a-z][a-z0-9_-]{0,62}$' }), Type.String({ pattern: '^[a-z0-9_-]{0,63}$' }), strict),
    ),
    webhook_config: optional(
      Type.Object({ uris: optional(addresses), user_metadata: optional(Type.Record(Type.String(), Type.Unknown())) }, strict),
    ),
  },
  strict,
)
export type InteractionRequest = Static<typeof InteractionRequest>
export const interactionForm = TypeCompiler.Compile(InteractionRequest)

export const veoModels = ['veo-3.1-fast-generate-preview']
export const omniModels = ['gemini-omni-1.1-flash']
