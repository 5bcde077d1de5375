import { chunk } from '../hostile/pictures'

/** Files of an exact size: real media with room that every reader skips. */

const textBytesMax = 4_000_000
const emptyChunkBytes = 12

/** A PNG made longer by texts of no meaning. */
export function padPng(png: Buffer, bytes: number): Buffer {
  const texts: Buffer[] = []
  for (let missing = bytes - png.length; missing > 0; ) {
    // What remains behind a chunk must be nothing or have room for another.
    const whole = missing <= textBytesMax ? missing : Math.min(textBytesMax, missing - emptyChunkBytes)
    texts.push(chunk('tEXt', Buffer.alloc(whole - emptyChunkBytes, 'a')))
    missing -= whole
  }
  return Buffer.concat([png.subarray(0, 33), ...texts, png.subarray(33)])
}

/** A movie with a free box behind it. */
export function padMovie(movie: Buffer, bytes: number): Buffer {
  const free = Buffer.alloc(bytes - movie.length)
  free.writeUInt32BE(free.length, 0)
  free.write('free', 4)
  return Buffer.concat([movie, free])
}

/** A WAV with a chunk of no meaning. An odd length is padded by the byte that the format asks for. */
export function padWav(wav: Buffer, bytes: number): Buffer {
  const list = Buffer.alloc(bytes - wav.length)
  list.write('junk', 0)
  list.writeUInt32LE(list.length - 8, 4)
  const padded = Buffer.concat([wav, list])
  padded.writeUInt32LE(padded.length - 8, 4)
  return padded
}
