import { readFile } from 'node:fs/promises'
import { makeClip, makeMedia } from '../support/make-media'
import { box } from './movies'
import { corrupt, type Sample, video } from './sample'

const startOf = (movie: Buffer, type: string) => movie.indexOf(type, 0, 'latin1') - 4

/** Movies whose header is whole and whose data are not where it says, and one of 900 tracks. */
export async function cutMovies(folder: string): Promise<Sample[]> {
  const plain = await makeClip(folder, 'whole.mp4', { width: 320, height: 320 })
  const copied = async (name: string, flags: string) =>
    readFile(await makeMedia(folder, name, ['-i', plain, '-c', 'copy', '-movflags', flags]))
  const first = await copied('moov-first.mp4', '+faststart')
  const fragments = await copied('cut-fragments.mp4', 'frag_keyframe+empty_moov+default_base_moof')
  const [header, fragment, data] = [startOf(first, 'mdat'), startOf(fragments, 'moof'), startOf(fragments, 'mdat')]
  return [
    ...[0, 8, 200].map(bytes => video(`cut ${bytes} bytes behind the header`, first.subarray(0, header + bytes), corrupt)),
    video('an initialisation segment alone', fragments.subarray(0, fragment), corrupt),
    video('a fragment without its data', fragments.subarray(0, data), corrupt),
    video('a fragment with 100 bytes of its data', fragments.subarray(0, data + 100), corrupt),
    ...[10_000_000, -5_000, 8].map(bytes => video(`fragments that are ${bytes} bytes off`, movedBy(fragments, bytes), corrupt)),
    video('900 tracks', withTracks(await readFile(plain), 900), ['media_too_large']),
  ]
}

/** Changes the data offset of each run of samples. */
function movedBy(movie: Buffer, bytes: number): Buffer {
  const moved = Buffer.from(movie)
  for (let at = moved.indexOf('trun'); at !== -1; at = moved.indexOf('trun', at + 4))
    moved.writeInt32BE(moved.readInt32BE(at + 12) + bytes, at + 12)
  return moved
}

/** The movie (moov last) with its first track many times. */
function withTracks(movie: Buffer, count: number): Buffer {
  const [moov, trak] = [startOf(movie, 'moov'), startOf(movie, 'trak')]
  const track = movie.subarray(trak, trak + movie.readUInt32BE(trak))
  return Buffer.concat([
    movie.subarray(0, moov),
    box('moov', Buffer.concat([movie.subarray(moov + 8), ...Array<Buffer>(count).fill(track)])),
  ])
}
