import { type Behaviour, find, has } from '../behaviour/behaviour'

/** The tracks of an output. `second`: of which kind there is one more than asked for. */
export type Tracks = { picture: boolean; hevc: boolean; second: 'picture' | 'sound' | undefined }

export function tracksOf(behaviours: readonly Behaviour[]): Tracks {
  const two = find(behaviours, 'deliver_two_tracks')
  const second = two && (two.of ?? 'picture')
  return { picture: !has(behaviours, 'deliver_audio_only'), hevc: has(behaviours, 'deliver_hevc'), second }
}

/** The size of a second picture track, which is never the one that players choose. */
export const secondSize = '320x180'

/** ffmpeg's options for the picture tracks: H.264, or HEVC of 10 bits under the tag that Apple's players need. */
export const pictureEncoder = ({ hevc }: Tracks): string[] => [
  ...(hevc ? ['-c:v', 'libx265', '-pix_fmt', 'yuv420p10le', '-x265-params', 'log-level=none', '-tag:v', 'hvc1'] : []),
  ...(hevc ? [] : ['-c:v', 'libx264', '-pix_fmt', 'yuv420p']),
  ...['-preset', 'ultrafast'],
]
