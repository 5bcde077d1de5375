import { invalid } from './answer-head'

/** A size with its extensions, or a line of the trailer. */
const lineBytesMax = 4_096
/** What frames a body may be as long as the body and this much more: a body in crumbs costs this process more than it costs its sender. */
const framingBytesMax = 65_536

type Expecting = 'size' | 'bytes' | 'line end' | 'trailer' | 'nothing'

/** Takes chunked bodies apart (RFC 9112, section 7.1), one output for each input however small its chunks are. */
export function createChunks(): { take(bytes: Buffer): Buffer; done(): boolean } {
  let expecting: Expecting = 'size'
  let line = ''
  let left = 0
  let bodyBytes = 0
  let framingBytes = 0

  function readLine(text: string): void {
    if (expecting === 'line end') {
      if (text !== '') invalid('a chunk that is longer than its size')
      expecting = 'size'
    } else if (expecting === 'trailer') {
      if (text === '') expecting = 'nothing'
    } else {
      const [, size] = /^([0-9a-f]{1,12})[ \t]*(?:;.*)?$/i.exec(text) ?? invalid('no valid chunk size')
      left = Number.parseInt(size ?? '', 16)
      expecting = left === 0 ? 'trailer' : 'bytes'
    }
  }

  /** Reads up to the line's end; returns where to go on. */
  function takeLine(bytes: Buffer, from: number): number {
    const end = bytes.indexOf(0x0a, from)
    const to = end < 0 ? bytes.length : end + 1
    framingBytes += to - from
    if (line.length + to - from > lineBytesMax || framingBytes > framingBytesMax + bodyBytes) invalid('more framing than body')
    line += bytes.toString('latin1', from, to)
    if (end >= 0) {
      const text = line.replace(/\r?\n$/, '')
      line = ''
      readLine(text)
    }
    return to
  }

  return {
    take(bytes) {
      const body = Buffer.allocUnsafe(bytes.length)
      let taken = 0
      for (let at = 0; at < bytes.length && expecting !== 'nothing'; ) {
        if (expecting !== 'bytes') {
          at = takeLine(bytes, at)
          continue
        }
        const count = bytes.copy(body, taken, at, Math.min(bytes.length, at + left))
        at += count
        taken += count
        bodyBytes += count
        left -= count
        if (left === 0) expecting = 'line end'
      }
      return body.subarray(0, taken)
    },
    done: () => expecting === 'nothing',
  }
}
