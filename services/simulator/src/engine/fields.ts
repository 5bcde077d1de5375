import type { GenerationRequest } from '../generation/generation'

/** A JSON object that nobody has looked at. */
export type Fields = Record<string, unknown>

export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

export type Check = (value: unknown) => boolean

export const isBoolean: Check = value => typeof value === 'boolean'
export const isAddress: Check = value => typeof value === 'string' && URL.canParse(value)
export const isAddresses =
  (max: number): Check =>
  value =>
    Array.isArray(value) && value.length <= max && value.every(isAddress)
export const isWhole =
  (min = 0, max = Number.MAX_SAFE_INTEGER): Check =>
  value =>
    Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max
/** In characters. */
export const isText =
  (max: number, min = 0): Check =>
  value =>
    typeof value === 'string' && [...value].length >= min && [...value].length <= max
export const isOneOf =
  (...values: unknown[]): Check =>
  value =>
    values.includes(value)

/** A request of the simulator's as a format gives it: what it leaves out is undefined, and the mode follows from the inputs. */
export type ReadRequest = { [F in Exclude<keyof GenerationRequest, 'mode'>]: GenerationRequest[F] | undefined }

/** Lists without an entry are left out, and a prompt that is none is said to be. */
export function requestOf({ prompt, ...read }: Partial<ReadRequest>): GenerationRequest {
  const request = Object.fromEntries(
    Object.entries({ ...read, prompt: prompt || 'no prompt' }).filter(
      ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  ) as Omit<GenerationRequest, 'mode'>
  const hasReferences = request.reference_images ?? request.reference_videos ?? request.reference_audios
  return {
    ...request,
    mode: hasReferences ? 'media-to-video' : (request.first_frame_url ?? request.last_frame_url) ? 'image-to-video' : 'text-to-video',
  }
}
