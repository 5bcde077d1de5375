import { reject } from '../errors'
import type { Stream } from './probe-movie'

/** Codecs that providers decode; the image's decoder supports each. */
const pictureCodecs = ['h264', 'hevc', 'av1', 'vp9', 'mpeg4', 'prores']
/** 8 to 12 bits of the usual samplings. Providers take no deeper ones, and decoding them needs more memory. */
const pixelFormat = /^(?:gray(?:10le|12le)?|yuvj?4(?:20|22|44)p(?:10le|12le)?|yuva444p(?:10|12)le|nv12|gbrp(?:10le|12le)?|p010le)$/

export type Picture = Stream & { width: number; height: number; codec_name: string; pix_fmt: string }

/** The picture track that a player shows: the first default one that is no cover, else the first. */
export function choosePicture(streams: Stream[]): Picture {
  const shown = streams.filter(({ codec_type, disposition }) => codec_type === 'video' && !isStill(disposition))
  const picture = shown.find(({ disposition }) => disposition?.default) ?? shown[0]
  if (!picture) throw unsupported('no picture that moves', 'a movie with a picture')
  const { codec_name = 'unknown', pix_fmt, width, height } = picture
  if (!pictureCodecs.includes(codec_name))
    throw unsupported(`a movie coded as ${codec_name}`, `${pictureCodecs.join(', ')}: export it as H.264`)
  // ffprobe finds size and pixel format of all these codecs as soon as it decodes one frame.
  if (!width || !height || !pix_fmt || pix_fmt === 'unknown') throw cutShort('no frame can be decoded')
  if (!pixelFormat.test(pix_fmt))
    throw unsupported(`pixels stored as ${pix_fmt}`, '8 to 12 bits of the usual samplings: export it as H.264')
  return { ...picture, codec_name, pix_fmt, width, height }
}

/** The sound track that a player plays, if any. Tracks with unknown codecs don't count. */
export function chooseSound(streams: Stream[]): Stream | undefined {
  const known = streams.filter(({ codec_type, codec_name }) => codec_type === 'audio' && codec_name && codec_name !== 'unknown')
  return known.find(({ disposition }) => disposition?.default) ?? known[0]
}

/** A movie that has fewer samples than its header lists, or none that is where the header says. */
export const cutShort = (internal: string) =>
  reject('media_corrupt', { measured: 'a file that is cut short', limit: 'the whole file' }, internal)

const isStill = (disposition: Stream['disposition']) => Boolean(disposition?.attached_pic || disposition?.timed_thumbnails)

const unsupported = (measured: string, limit: string) => reject('media_type_unsupported', { measured, limit })
