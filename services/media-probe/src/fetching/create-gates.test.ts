import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import { KindLimitsSchema, MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { findTools } from '../child/find-tools'
import type { Tools } from '../child/tools'
import { measure } from '../measuring/measure'
import { makeFile } from '../testing/make-sound'
import { createGates } from './create-gates'

let folder: string
let tools: Tools
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gates-'))
  const found = await findTools({ ffprobe: 'ffprobe', ffmpeg: 'ffmpeg' }, folder, undefined)
  tools = { ...found, childLimits: { memoryBytesMax: 2 ** 30, cpuSecondsMax: 60 }, childDeadlineMs: 60_000, coresMax: 2 }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const { signal } = new AbortController()
const places = { downloadsMax: 10, copiesMax: 2, diskBytesMax: 2_000_000_000, fileBytesMax: 52_428_800 }
const gatesOf = (measuresMax: number) => createGates({ ...places, measuresMax }, { bytes: () => 0 })

async function measurePicture(name: string): Promise<number> {
  const path = join(folder, crypto.randomUUID())
  await copyFile(join(folder, name), path)
  const limits = create(KindLimitsSchema, { formats: ['png'] })
  const file = { path, copyPath: `${path}-copy`, folder, kind: MediaKind.IMAGE, format: 'png' as const, limits }
  return (await measure(tools, { ...file, declaredSeconds: 0, signal })).width
}

test('nine costly pictures of one account don’t delay another account’s picture', async () => {
  const picture = (side: number) => ['-f', 'lavfi', '-i', `testsrc2=size=${side}x${side}`, '-frames:v', '1', '-compression_level', '1']
  await Promise.all([makeFile(folder, 'large.png', picture(3_000)), makeFile(folder, 'small.png', picture(256))])
  const { measure: gate } = gatesOf(2)
  let finished = 0
  const costly = Array.from({ length: 9 }, async () => {
    const leave = await gate.acquire({ account: 'one', host: 'h' }, signal)
    const width = await measurePicture('large.png')
    finished += 1
    leave()
    return width
  })
  const leave = await gate.acquire({ account: 'another', host: 'h' }, signal)
  expect([finished, gate.inUse(), gate.waiting()]).toEqual([0, 2, 8])
  expect(await measurePicture('small.png')).toBe(256)
  leave()
  expect(await Promise.all(costly)).toEqual(Array(9).fill(3_000))
})

test.each([
  [1, 1],
  [2, 1],
  [3, 2],
  [8, 4],
])('of %i measure slots an account gets %i', async (measuresMax, own) => {
  const { measure: gate } = gatesOf(measuresMax)
  const entering = Array.from({ length: 10 }, () => gate.acquire({ account: 'one', host: 'h' }, signal))
  await Promise.all(entering.slice(0, own))
  expect([gate.inUse(), gate.waiting()]).toEqual([own, 10 - own])
})
