import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import { KindLimitsSchema, MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { findTools } from '../src/child/find-tools'
import { measure } from '../src/measuring/measure'

/** `bun bench/measure.ts FILE` measures a video without limits, once for each input line, and prints milliseconds. */
const path = process.argv[2] ?? ''
const folder = await mkdtemp(join(tmpdir(), 'measure-bench-'))
const found = await findTools({ ffprobe: 'ffprobe', ffmpeg: 'ffmpeg' }, folder, undefined)
const tools = {
  ...found,
  childLimits: { memoryBytesMax: 2 ** 30, cpuSecondsMax: 90 * availableParallelism() },
  childDeadlineMs: 90_000,
  coresMax: availableParallelism(),
}
const sample = {
  path,
  copyPath: join(folder, 'copy'),
  folder: dirname(path),
  kind: MediaKind.VIDEO,
  format: 'mp4' as const,
  limits: create(KindLimitsSchema, {}),
  declaredSeconds: 0,
}
for await (const _ of console) {
  const startedAt = performance.now()
  await measure(tools, { ...sample, signal: new AbortController().signal })
  console.log(performance.now() - startedAt)
  await rm(sample.copyPath)
}
await rm(folder, { recursive: true, force: true })
