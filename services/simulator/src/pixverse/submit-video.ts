import { Failure } from '@filmgate/kit/failure'
import { isKnownSize } from '../generation/frame-size'
import { type Face, type GenerationRequest, generationForm } from '../generation/generation'
import type { GenerationStore } from '../generation/generation-store'
import { type SubmitDeps, submit } from '../generation/submit'
import { type Answer, ownFault, refused, submittedAnswer } from './answers'
import { faultOf, formOf, type Input } from './forms'
import type { Images } from './images'

export type SubmitVideoDeps = SubmitDeps & { store: GenerationStore; images: Images }
type Given = { kind: string; input: unknown; traceId: string; origin: string }

/** Takes a submit; one whose trace id made a video before is answered with that, whatever it says. */
export async function submitVideo(
  deps: SubmitVideoDeps,
  { kind, input, traceId, origin }: Given,
): Promise<Answer | 'dropped' | 'bad_json'> {
  const form = formOf(kind)
  if (!form) return refused(400017, 404)
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return refused(400013)
  const fault = faultOf(kind, form, input as Input, deps.images)
  if (fault !== undefined) return refused(fault)
  const request = requestOf(input as Input, traceId, id => `${origin}/pixverse/images/${id}`)
  if (!generationForm.Check(request) || !isKnownSize(request.resolution, request.aspect_ratio)) return refused(400017)
  const face: Face = { name: 'pixverse', model: request.model, origin }
  const answer = await submit({ ...deps, newId: newVideoId }, request, face).catch((error: unknown) => {
    const before = deps.store.findByClientTaskId(request.client_task_id)
    if (error instanceof Failure && error.reason === 'client_task_id_reused' && before)
      return { answered: 'replayed', toldId: before.id, generation: before } as const
    throw error
  })
  if (answer.answered === 'dropped' || answer.answered === 'bad_json') return answer.answered
  return 'toldId' in answer ? submittedAnswer(answer.toldId, answer.generation) : ownFault
}

/** A number beyond 32 bits of which JSON loses no digit. */
const newVideoId = (): string => String(343_252_978_600_000 + (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0))

function requestOf(input: Input, traceId: string, addressOf: (imageId: unknown) => string): GenerationRequest {
  const first = input.img_id ?? input.first_frame_img
  return defined({
    client_task_id: `pixverse_${traceId}`,
    model: String(input.model),
    mode: first === undefined ? 'text-to-video' : 'image-to-video',
    prompt: String(input.prompt),
    duration_seconds: Number(input.duration),
    resolution: String(input.quality),
    aspect_ratio: String(input.aspect_ratio ?? 'adaptive'),
    seed: input.seed as number | undefined,
    generate_audio: (input.generate_audio_switch as boolean | undefined) ?? false,
    watermark: input.water_mark as boolean | undefined,
    first_frame_url: first === undefined ? undefined : addressOf(first),
    last_frame_url: input.last_frame_img === undefined ? undefined : addressOf(input.last_frame_img),
  })
}

const defined = <T extends object>(request: T): T =>
  Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined)) as T
