import { Failure } from '@filmgate/kit/failure'
import { ffprobe } from '../child/ffprobe'
import type { CleanCopy } from '../child/source-file'
import type { Tools } from '../child/tools'

/** A track in ffprobe's output; times are in units of its time base. */
export type Stream = {
  index: number
  codec_type?: string
  codec_name?: string
  pix_fmt?: string
  width?: number
  height?: number
  sample_aspect_ratio?: string
  time_base: string
  sample_rate?: string
  start_pts?: number
  duration_ts?: number
  /** Number of samples in the movie's header, as digits; samples of fragments don't count. */
  nb_frames?: string
  disposition?: { default?: number; attached_pic?: number; timed_thumbnails?: number }
  side_data_list?: { rotation?: number }[]
}

/** A sample in decoding order. `flags`: K or _ (key frame), then D or _ (hidden by the edit list). */
export type Packet = {
  stream_index: number
  pts?: number
  dts?: number
  duration?: number
  size?: string
  pos?: string
  flags: string
  side_data_list?: { side_data_type: string }[]
}

export type ProbedMovie = { streams: Stream[]; packets: Packet[] }

const entries = [
  'stream=index,codec_type,codec_name,pix_fmt,width,height,sample_aspect_ratio,time_base,sample_rate,start_pts,duration_ts,nb_frames',
  'stream_disposition=default,attached_pic,timed_thumbnails',
  'stream_side_data=rotation',
  'packet=stream_index,pts,dts,duration,size,pos,flags',
  'packet_side_data=side_data_type',
].join(':')

/** Lists a movie's tracks and samples with edit lists applied; decodes at most the first frames of a track. */
export async function probeMovie(tools: Tools, copy: CleanCopy, selected: string[] = []): Promise<ProbedMovie> {
  const { streams = [], packets = [] } = await ffprobe<Partial<ProbedMovie>>(tools, copy, [
    ...selected,
    '-show_packets',
    '-show_entries',
    entries,
  ])
  return { streams, packets }
}

/**
 * The same for picture and sound tracks only. One listing if the file has no other tracks and no sample is missing,
 * else one per kind, because an unreadable track ends a listing.
 */
export async function probePictureAndSound(tools: Tools, copy: CleanCopy): Promise<ProbedMovie> {
  const all = await probeMovie(tools, copy).catch(undefinedIfDamaged)
  if (all && isComplete(all)) return all
  const pictures = await probeMovie(tools, copy, ['-select_streams', 'v'])
  const sounds = await probeMovie(tools, copy, ['-select_streams', 'a'])
  return { streams: [...pictures.streams, ...sounds.streams], packets: [...pictures.packets, ...sounds.packets] }
}

/** The file has only picture and sound tracks, with all samples that the header lists. */
const isComplete = (probed: ProbedMovie): boolean =>
  probed.streams.every(stream => {
    const listed = Number(stream.nb_frames)
    return ['video', 'audio'].includes(stream.codec_type ?? '') && listed > 0 && packetsOf(probed, stream).length >= listed
  })

function undefinedIfDamaged(error: unknown): undefined {
  if (!(error instanceof Failure) || error.reason !== 'media_corrupt') throw error
}

export const isKeyFrame = ({ flags }: Packet): boolean => flags[0] === 'K'
export const isHidden = ({ flags }: Packet): boolean => flags[1] === 'D'

export const isEncrypted = ({ side_data_list = [] }: Packet): boolean =>
  side_data_list.some(({ side_data_type }) => side_data_type === 'Encryption info')

export const packetsOf = ({ packets }: ProbedMovie, { index }: Stream): Packet[] => packets.filter(packet => packet.stream_index === index)

/** `30000/1001` or `16:9` as a number; 0 if it is none. */
export function quotient(text: string): number {
  const [numerator = Number.NaN, denominator = Number.NaN] = text.split(/[/:]/).map(Number)
  const value = numerator / denominator
  return Number.isFinite(value) ? value : 0
}
