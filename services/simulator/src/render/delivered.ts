import { invariant } from '@filmgate/kit/failure'
import { find, has } from '../behaviour/behaviour'
import { frameSize } from '../generation/frame-size'
import type { Generation, GenerationRequest } from '../generation/generation'
import type { Clip } from './instant-clip'

/** The request as it is rendered: without what its behaviours hold back. A video without its picture has a sound at least. */
export function delivered({ request, behaviours }: Pick<Generation, 'request' | 'behaviours'>): GenerationRequest {
  const shorter = find(behaviours, 'deliver_shorter')
  const smaller = find(behaviours, 'deliver_smaller')
  return {
    ...request,
    ...(shorter && { duration_seconds: Math.min(request.duration_seconds, shorter.seconds ?? 1) }),
    ...(smaller && { resolution: smaller.resolution ?? '180p' }),
    ...(has(behaviours, 'deliver_silent') && { generate_audio: false, reference_audios: [] }),
    ...(has(behaviours, 'deliver_audio_only') && { generate_audio: true }),
  }
}

/** The ready-made clip in the place of that render. An adaptive ratio is 16:9, as nothing that was given is fetched. */
export function clipOf(generation: Generation): Clip {
  const { duration_seconds, resolution, aspect_ratio, generate_audio, reference_audios } = delivered(generation)
  const size = frameSize(resolution, aspect_ratio)
  invariant(size, 'a size was checked when the request was taken')
  const sound = generate_audio === true || (reference_audios?.length ?? 0) > 0
  return { seconds: duration_seconds, size, sound, picture: !has(generation.behaviours, 'deliver_audio_only') }
}
