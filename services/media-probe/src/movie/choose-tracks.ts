import { reject } from '../errors'
import type { Stream } from './probe-movie'

/** What providers decode; each is also one that the decoder in the image knows. */
const pictureCodecs = ['h264', 'hevc', 'av1', 'vp9', 'mpeg4', 'prores']
/** Eight to twelve bits of the usual samplings. Deeper ones cost a decoder memory and no provider takes them. */
const pixelFormat = /^(?:yuvj?4(?:20|22|44)p(?:10le|12le)?|yuva444p(?:10|12)le|nv12|gbrp(?:10le|12le)?|p010le)$/

export type Picture = Stream & { width: number; height: number; codec_name: string; pix_fmt: string }

/** The picture that a player shows: the first that is meant to be shown and is no cover, or the first of the others. */
export function choosePicture(streams: Stream[]): Picture {
  const shown = streams.filter(({ codec_type, disposition }) => codec_type === 'video' && !isStill(disposition))
  const picture = shown.find(({ disposition }) => disposition?.default) ?? shown[0]
  if (!picture) throw unsupported('no picture that moves', 'a movie with a picture')
  const { codec_name = 'unknown', pix_fmt = 'unknown', width, height } = picture
  if (!pictureCodecs.includes(codec_name)) throw unsupported(`a movie coded as ${codec_name}`, `${pictureCodecs.join(', ')}`)
  if (!width || !height) throw reject('media_corrupt', { measured: 'a picture without a size', limit: 'a movie that plays' })
  if (!pixelFormat.test(pix_fmt)) throw unsupported(`pixels stored as ${pix_fmt}`, '8 to 12 bits of the usual samplings')
  return { ...picture, codec_name, pix_fmt, width, height }
}

/** The sound that a player plays, or none: only tracks that the decoder knows count. */
export function chooseSound(streams: Stream[]): Stream | undefined {
  const known = streams.filter(({ codec_type, codec_name }) => codec_type === 'audio' && codec_name && codec_name !== 'unknown')
  return known.find(({ disposition }) => disposition?.default) ?? known[0]
}

const isStill = (disposition: Stream['disposition']) => Boolean(disposition?.attached_pic || disposition?.timed_thumbnails)

const unsupported = (measured: string, limit: string) => reject('media_type_unsupported', { measured, limit })
