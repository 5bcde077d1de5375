import { invariant } from '@filmgate/kit/failure'
import { find, has } from '../behaviour/behaviour'
import { frameSize } from '../generation/frame-size'
import type { Generation, GenerationRequest } from '../generation/generation'
import type { Clip } from './instant-clip'
import { tracksOf } from './tracks'

/** The request as it is rendered: changed by its behaviours. A video that needs a sound track for one of them has it. */
export function delivered({ request, behaviours }: Pick<Generation, 'request' | 'behaviours'>): GenerationRequest {
  const shorter = find(behaviours, 'deliver_shorter')
  const longer = find(behaviours, 'deliver_longer')
  const smaller = find(behaviours, 'deliver_smaller')
  const { picture, second } = tracksOf(behaviours)
  return {
    ...request,
    ...(shorter && { duration_seconds: Math.min(request.duration_seconds, shorter.seconds ?? 1) }),
    ...(longer && { duration_seconds: request.duration_seconds + (longer.more_seconds ?? 5) }),
    ...(smaller && { resolution: smaller.resolution ?? '180p' }),
    ...(has(behaviours, 'deliver_silent') && { generate_audio: false, reference_audios: [] }),
    ...((!picture || second === 'sound') && { generate_audio: true }),
  }
}

/** The ready-made clip in the place of that render. An adaptive ratio is 16:9, as nothing that was given is fetched. */
export function clipOf(generation: Generation): Clip {
  const { duration_seconds, resolution, aspect_ratio, generate_audio, reference_audios } = delivered(generation)
  const size = frameSize(resolution, aspect_ratio)
  invariant(size, 'a size was checked when the request was taken')
  const sound = generate_audio === true || (reference_audios?.length ?? 0) > 0
  return { seconds: duration_seconds, size, sound, tracks: tracksOf(generation.behaviours) }
}
