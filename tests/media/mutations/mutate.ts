import { crc32 } from 'node:zlib'

/** A small seeded generator (mulberry32): the same seed makes the same file everywhere. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

type Mutation = (bytes: Buffer, pick: (below: number) => number, others: Buffer[]) => Buffer

const interesting = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff]

const mutations: Mutation[] = [
  function flipBits(bytes, pick) {
    for (let flips = 1 + pick(40); flips > 0; flips -= 1) {
      const at = pick(bytes.length)
      bytes[at] = (bytes[at] ?? 0) ^ (1 << pick(8))
    }
    return bytes
  },
  function changeHead(bytes, pick) {
    for (let changes = 1 + pick(4); changes > 0; changes -= 1) bytes[pick(Math.min(512, bytes.length))] = pick(256)
    return bytes
  },
  function setNumber(bytes, pick) {
    bytes.writeUInt32BE(interesting[pick(interesting.length)] ?? 0, pick(Math.max(1, bytes.length - 4)))
    return bytes
  },
  function cut(bytes, pick) {
    return bytes.subarray(0, pick(bytes.length))
  },
  function dropBlock(bytes, pick) {
    const from = pick(bytes.length)
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + 1 + pick(2_000))])
  },
  function repeatBlock(bytes, pick) {
    const from = pick(bytes.length)
    const block = bytes.subarray(from, from + 1 + pick(2_000))
    return Buffer.concat([bytes.subarray(0, from), ...Array.from({ length: 1 + pick(20) }, () => block), bytes.subarray(from)])
  },
  function zeroBlock(bytes, pick) {
    const from = pick(bytes.length)
    return bytes.fill(0, from, Math.min(bytes.length, from + 1 + pick(2_000)))
  },
  function splice(bytes, pick, others) {
    const other = others[pick(others.length)] ?? bytes
    return Buffer.concat([bytes.subarray(0, pick(bytes.length)), other.subarray(pick(other.length))])
  },
]

/** The file that this seed makes of one of the originals. */
export function mutate(originals: Buffer[], seed: number): Buffer {
  const random = createRandom(seed)
  const pick = (below: number) => Math.floor(random() * below)
  const original = originals[seed % originals.length] ?? Buffer.alloc(0)
  let bytes = Buffer.from(original)
  for (let rounds = 1 + pick(3); rounds > 0 && bytes.length > 8; rounds -= 1)
    bytes = Buffer.from(mutations[pick(mutations.length)]?.(bytes, pick, originals) ?? bytes)
  // Half of the PNGs get true checksums again, or none would reach the decoder.
  return pick(2) === 0 && bytes.toString('latin1', 1, 4) === 'PNG' ? mendChecksums(bytes) : bytes
}

function mendChecksums(png: Buffer): Buffer {
  for (let offset = 8; offset + 12 <= png.length; ) {
    const end = offset + 12 + png.readUInt32BE(offset)
    if (end > png.length) break
    png.writeUInt32BE(crc32(png.subarray(offset + 4, end - 4)), end - 4)
    offset = end
  }
  return png
}
