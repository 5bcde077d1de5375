import type { GenerationRequest } from '../generation/generation'
import type { InteractionRequest, OperationRequest } from './forms'

/** A picture as it came; it is read as bytes and put where the renderer can fetch it. */
export type Inline = { data: string; mimeType: string }
/** A request of the simulator's own whose pictures are still in it, or what is wrong with how it fits together. */
export type Read = { request: GenerationRequest; first?: Inline; last?: Inline; references: Inline[] } | { fault: string }

type Ours = { clientTaskId: string }

/** ai.google.dev/gemini-api/docs/video, “Veo model parameters”. Veo makes sound unasked. */
export function readOperation(
  { instances, parameters, webhookConfig }: OperationRequest,
  { model, clientTaskId }: Ours & { model: string },
): Read {
  const [instance] = instances
  if (!instance) return { fault: 'instances must have one entry' }
  const { prompt, image, lastFrame, referenceImages = [] } = instance
  const { durationSeconds = 8, resolution = '720p', aspectRatio } = parameters
  if (lastFrame && !image) return { fault: 'lastFrame must be used in combination with image' }
  if (image && referenceImages.length > 0) return { fault: 'image and referenceImages can’t be used together' }
  const needsEight = lastFrame !== undefined || referenceImages.length > 0 || resolution !== '720p'
  if (needsEight && durationSeconds !== 8) return { fault: 'durationSeconds must be 8 here' }
  return {
    request: {
      client_task_id: clientTaskId,
      ...{ model, prompt, resolution, duration_seconds: durationSeconds, generate_audio: true },
      ...{ mode: modeOf(image !== undefined, referenceImages.length), aspect_ratio: aspectRatio ?? '16:9' },
      ...(webhookConfig && { callback_url: webhookConfig.uris[0] }),
    },
    ...(image && { first: bytes(image) }),
    ...(lastFrame && { last: bytes(lastFrame) }),
    references: referenceImages.map(one => bytes(one.image)),
  }
}

const bytes = ({ bytesBase64Encoded: data, mimeType }: { bytesBase64Encoded: string; mimeType: string }): Inline => ({ data, mimeType })

/** ai.google.dev/gemini-api/docs/omni. Sound comes unasked here too; the length is the model's own choice where none is said. */
export function readInteraction(body: InteractionRequest, { clientTaskId }: Ours): Read {
  const { model, input, response_format: format, generation_config: config, webhook_config: webhook } = body
  const parts = typeof input === 'string' ? [{ type: 'text' as const, text: input }] : input
  const prompt = parts.flatMap(part => (part.type === 'text' ? [part.text] : [])).join(' ')
  const images = parts.flatMap(part => (part.type === 'image' ? [{ data: part.data, mimeType: part.mime_type }] : []))
  const task = config?.video_config.task
  const roles = rolesOf(prompt, images, task)
  if (prompt === '' || !roles) return { fault: 'the pictures, what the prompt declares of them and the task don’t fit together' }
  return {
    request: {
      client_task_id: clientTaskId,
      ...{ model, prompt, resolution: format.resolution ?? '720p', aspect_ratio: format.aspect_ratio ?? '16:9', generate_audio: true },
      ...{
        mode: modeOf(roles.first !== undefined, roles.references.length),
        duration_seconds: Number((format.duration ?? '10s').slice(0, -1)),
      },
      ...(webhook?.uris && { callback_url: webhook.uris[0] }),
    },
    ...roles,
  }
}

const declaration = /^\[# Sources <FIRST_FRAME>@Image1( <LAST_FRAME>@Image2)?\]/
const reference = /<IMAGE_REF_\d+>@Image\d+/g

/** Which picture is what: as the prompt's beginning declares, else as the task says. Undefined where they contradict each other, or nothing says it. */
function rolesOf(
  prompt: string,
  images: Inline[],
  task: string | undefined,
): Omit<Extract<Read, { request: unknown }>, 'request'> | undefined {
  const sources = declaration.exec(prompt)
  const declaredFrames = sources ? (sources[1] ? 2 : 1) : 0
  const declaredReferences = [...(/\[# References ([^\]]*)\]/.exec(prompt)?.[1] ?? '').matchAll(reference)].length
  const isDeclared = declaredFrames + declaredReferences > 0
  const frames = isDeclared ? declaredFrames : task === 'image_to_video' ? 1 : 0
  const references = isDeclared ? declaredReferences : task === 'reference_to_video' ? images.length : 0
  if (frames + references !== images.length) return undefined
  const ofTask = [frames === 0 && references === 0, frames === 1 && references === 0, frames === 0 && references > 0]
  const at = ['text_to_video', 'image_to_video', 'reference_to_video'].indexOf(task ?? '')
  if (at >= 0 && !ofTask[at]) return undefined
  const [first, last] = images.slice(0, frames)
  return { ...(first && { first }), ...(last && { last }), references: images.slice(frames) }
}

const modeOf = (hasFrame: boolean, references: number): GenerationRequest['mode'] =>
  references > 0 ? 'media-to-video' : hasFrame ? 'image-to-video' : 'text-to-video'
