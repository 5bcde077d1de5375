import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { blankCopy } from './blank-copy'

const folder = mkdtempSync(join(tmpdir(), 'blank-copy-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const slice = (bytes: number) => Buffer.concat([Buffer.from([0x65]), Buffer.alloc(bytes - 1, 0xaa)])
/** A user data message: type 5, after an id of sixteen bytes. */
const words = (text: string) =>
  Buffer.concat([Buffer.from([6, 5, 16 + text.length]), Buffer.alloc(16, 0x11), Buffer.from(`${text}\x80`, 'latin1')])

function sampleOf(units: Buffer[]): Buffer {
  return Buffer.concat(
    units.flatMap(unit => {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(unit.length)
      return [length, unit]
    }),
  )
}

/** A header that only sets four-byte lengths, and samples after it. */
async function blanked(samples: Buffer[]): Promise<Buffer> {
  const header = Buffer.concat([Buffer.from([0, 0, 0, 15]), Buffer.from('avcC'), Buffer.from([1, 66, 0, 30, 0xff, 0xe0, 0])])
  const path = join(folder, crypto.randomUUID())
  writeFileSync(path, Buffer.concat([header, ...samples]))
  let pos = header.length
  const packets = samples.map(({ length: size }) => {
    const packet = { stream_index: 0, pos: String(pos), size: String(size), flags: 'K_' }
    pos += size
    return packet
  })
  const copy = await open(path, 'r+')
  await blankCopy(copy, { streams: [{ index: 0, codec_type: 'video', codec_name: 'h264', time_base: '1/600' }], packets })
  await copy.close()
  return readFileSync(path).subarray(header.length)
}

test('messages are blanked anywhere in a sample, and nothing else changes', async () => {
  // 16,384 bytes are read at once: messages before, at and far after that bound, between small and large units.
  for (let bytes = 16_384 - 160; bytes <= 16_384 + 8; bytes += 1) {
    const samples = [
      sampleOf([words('before'), slice(bytes), words('behind it'), slice(40_000), words('last')]),
      sampleOf([slice(3), words('of the second'), slice(20)]),
    ]
    const before = Buffer.concat(samples)
    const after = await blanked(samples)
    expect(after.length).toBe(before.length)
    for (const text of ['before', 'behind it', 'last', 'of the second'])
      expect([bytes, text, after.includes(text)]).toEqual([bytes, text, false])
    for (const unit of [slice(bytes), slice(40_000), slice(20)]) expect(after.includes(sampleOf([unit]))).toBe(true)
  }
})

test('a length past the end of a sample ends that sample, and the next one is still blanked', async () => {
  const damaged = Buffer.concat([sampleOf([slice(50)]), Buffer.from([0xff, 0xff, 0, 0, 6, 5])])
  const after = await blanked([damaged, sampleOf([words('next')])])
  expect(after.subarray(0, damaged.length)).toEqual(damaged)
  expect(after.includes('next')).toBe(false)
})
