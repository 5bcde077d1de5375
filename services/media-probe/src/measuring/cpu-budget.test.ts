import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import { Failure } from '@filmgate/kit/failure'
import { KindLimitsSchema, MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { createCpuBudget } from '../child/cpu-budget'
import { findTools } from '../child/find-tools'
import type { CleanCopy } from '../child/source-file'
import type { Tools } from '../child/tools'
import { findingOf } from '../errors'
import { ffmpegBytes, makeFile, sine } from '../testing/make-sound'
import { decodeSound } from './measure-audio'

let folder: string
let tools: Tools
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cpu-budget-'))
  const found = await findTools({ ffprobe: 'ffprobe', ffmpeg: 'ffmpeg' }, folder, undefined)
  tools = { ...found, childLimits: { memoryBytesMax: 2 ** 30, cpuSecondsMax: 60 }, childDeadlineMs: 60_000, coresMax: 2 }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const limits = create(KindLimitsSchema, {})
const { signal } = new AbortController()

async function decoded(name: string, own: Partial<CleanCopy> = {}, having: Tools = tools): Promise<string> {
  const copy: CleanCopy = {
    ...{ path: join(folder, name), folder, kind: MediaKind.AUDIO, format: 'mp3', limits, declaredSeconds: 0, signal },
    ...own,
  }
  try {
    await decodeSound(having, copy)
    return 'decoded'
  } catch (error) {
    return error instanceof Failure ? `${error.reason}: ${findingOf(error).measured}` : String(error)
  }
}

test('a task’s files share its CPU budget: no child starts once it is used up', async () => {
  await makeFile(folder, 'short.mp3', sine(3))
  const cpu = createCpuBudget(0.02)
  expect(await decoded('short.mp3', { cpu })).toBe('decoded')
  expect(cpu.secondsLeft()).toBe(0)
  expect(await decoded('short.mp3', { cpu })).toBe('media_too_large: over 0.02 s of processor for all files together')
})

test('a file that exceeds the remaining CPU budget is stopped and rejected as too large', async () => {
  // Hours of sound, which no card accepts: it must not be decoded completely.
  const frames = await ffmpegBytes([...sine(3), '-b:a', '32k', '-f', 'mp3', '-id3v2_version', '0', '-write_xing', '0'])
  await Bun.write(join(folder, 'hours.mp3'), Buffer.concat(Array(4_000).fill(frames)))
  const cpu = createCpuBudget(1)
  expect(await decoded('hours.mp3', { cpu })).toBe('media_too_large: over 1 s of processor to decode')
  expect(cpu.secondsLeft()).toBe(0)
  const childLimits = { ...tools.childLimits, cpuSecondsMax: 1 }
  expect(await decoded('hours.mp3', {}, { ...tools, childLimits })).toBe('media_too_large: over 1 s of processor to decode')
})
