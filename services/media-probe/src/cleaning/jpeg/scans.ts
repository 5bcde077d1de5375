import { reject } from '../../errors'
import type { Size } from '../picture/picture'

const coefficients = 64
/** Encoders write some ten; a decoder goes through the whole picture for each. */
const scansMax = 100
const unsent = 255

/** Which coefficients of which components the scans have brought, and how exactly. */
export function createScans() {
  /** By component: the lowest bit that each coefficient has been sent to. */
  const sent = new Map<number, Uint8Array>()
  let inSteps = false
  return {
    count: 0,

    /** Reads the frame header that the scans belong to. */
    begin(frame: Buffer, progressive: boolean): Size {
      const components = frame[5] ?? 0
      if (frame.length < 6 + 3 * components || components === 0) throw brokenFault('frame header')
      for (let at = 6; at < 6 + 3 * components; at += 3) sent.set(frame[at] ?? 0, new Uint8Array(coefficients).fill(unsent))
      inSteps = progressive
      return { height: frame.readUInt16BE(1), width: frame.readUInt16BE(3) }
    },

    add(header: Buffer): void {
      const components = header[0] ?? 0
      if (components === 0 || header.length !== 4 + 2 * components) throw brokenFault('scan header')
      const [first, last, low] = inSteps ? header.subarray(-3) : [0, coefficients - 1, 0]
      for (let at = 1; at < 1 + 2 * components; at += 2) {
        const bits = sent.get(header[at] ?? -1)
        if (!bits) throw brokenFault('scan before its frame')
        bits.fill((low ?? 0) & 15, first, (last ?? 0) + 1)
      }
      this.count += 1
      if (this.count > scansMax)
        throw reject('media_corrupt', { measured: `a JPEG of more than ${scansMax} scans`, limit: `${scansMax} scans` })
    },

    /** Each component has at least its first coefficient: without it there is no picture. */
    everyComponent: () => [...sent.values()].every(bits => bits[0] !== unsent),

    /** Every coefficient to its last bit: what a file without an end must have shown to count as whole. */
    complete: () => [...sent.values()].every(bits => bits.every(low => low === 0)),
  }
}

const brokenFault = (part: string) => reject('media_corrupt', { measured: `a JPEG with a broken ${part}`, limit: 'a whole JPEG' })
