import { reject } from '../../errors'
import type { Size } from '../picture/picture'

const coefficients = 64
/** Encoders write about ten; each scan costs the decoder a pass over the picture. */
const scansMax = 100
const unsent = 255

/** Tracks which coefficients the scans contain, per component, and to which bit. */
export function createScans() {
  /** By component: the lowest bit sent of each coefficient. */
  const sent = new Map<number, Uint8Array>()
  let inSteps = false
  return {
    count: 0,

    /** Reads the scans' frame header. */
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

    /** Whether each component has its first coefficient, without which there is no picture. */
    everyComponent: () => [...sent.values()].every(bits => bits[0] !== unsent),

    /** Whether every coefficient is complete. Only then is a file without an end marker accepted. */
    complete: () => [...sent.values()].every(bits => bits.every(low => low === 0)),
  }
}

const brokenFault = (part: string) => reject('media_corrupt', { measured: `a JPEG with a broken ${part}`, limit: 'a whole JPEG' })
