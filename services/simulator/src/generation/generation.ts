import { invariant } from '@filmgate/kit/failure'
import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import type { Behaviour } from '../behaviour/behaviour'

const address = Type.String({ minLength: 1, maxLength: 4096 })
const addresses = (maxItems: number) => Type.Optional(Type.Array(address, { maxItems }))

/** The simulator's own wire format of a submit. */
export const GenerationRequest = Type.Object(
  {
    client_task_id: Type.String({ minLength: 1, maxLength: 128 }),
    model: Type.String({ minLength: 1, maxLength: 100 }),
    mode: Type.Union([Type.Literal('text-to-video'), Type.Literal('image-to-video'), Type.Literal('media-to-video')]),
    prompt: Type.String({ minLength: 1, maxLength: 14_000 }),
    duration_seconds: Type.Integer({ minimum: 1, maximum: 60 }),
    resolution: Type.String({ minLength: 1, maxLength: 10 }),
    aspect_ratio: Type.String({ minLength: 1, maxLength: 10 }),
    seed: Type.Optional(Type.Integer()),
    generate_audio: Type.Optional(Type.Boolean()),
    watermark: Type.Optional(Type.Boolean()),
    first_frame_url: Type.Optional(address),
    last_frame_url: Type.Optional(address),
    reference_images: addresses(30),
    reference_videos: addresses(10),
    reference_audios: addresses(10),
    callback_url: Type.Optional(address),
  },
  { additionalProperties: false },
)
export type GenerationRequest = Static<typeof GenerationRequest>
export const generationForm = TypeCompiler.Compile(GenerationRequest)

export type Status = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'
export type GenerationError = { code: 'generation_failed' | 'output_moderated' | 'input_unreachable'; message: string }

/** The fake that took a submit, and what its answers and its callback need of it. */
export type Fake = {
  name:
    | ('fal' | 'runware' | 'ark' | 'minimax' | 'kling' | 'google')
    | ('dashscope' | 'vidu' | 'pixverse' | 'xai' | 'replicate' | 'openai-videos')
  /** The model's name in that format. */
  model: string
  /** Base of this simulator's addresses, as the caller had it. */
  origin: string
  /** The caller asked to be told what it cost. */
  tellsCost?: boolean
  /** What the caller wants told back beside it, in a format that has such a field. */
  safetyIdentifier?: string
  /** What the caller had a format repeat that has a place for it. */
  labels?: Record<string, string>
  /** What the caller gave the generation to carry. */
  payload?: string
}

/** One accepted generation. Times are milliseconds since 1970. */
export type Generation = {
  id: string
  /** Null where the behaviour `ignore_token` has it ignored. */
  clientTaskId: string | null
  request: GenerationRequest
  /** Absent in the simulator's own format. */
  fake?: Fake
  behaviours: Behaviour[]
  status: Status
  error: GenerationError | null
  acceptedAt: number
  updatedAt: number
}

const transitions: Record<Status, readonly Status[]> = {
  queued: ['running', 'succeeded', 'failed', 'cancelled'],
  running: ['succeeded', 'failed', 'cancelled'],
  succeeded: [],
  failed: [],
  cancelled: [],
}

export function transition(generation: Generation, status: Status, at: number, error: GenerationError | null = null): void {
  invariant(transitions[generation.status].includes(status), `a ${generation.status} generation can't become ${status}`)
  Object.assign(generation, { status, error, updatedAt: at })
}

export const isFinished = ({ status }: Generation) => transitions[status].length === 0
