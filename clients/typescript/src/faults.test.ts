import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Filmgate } from './index.ts'
import { type Fault, startCutter } from './testing/cutter.ts'
import { fastClock } from './testing/fast-clock.ts'
import { startGateway, urlOf, video } from './testing/gateway.ts'

const folder = await mkdtemp(join(tmpdir(), 'filmgate-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const request = { model: 'alpha-h3', prompt: 'A paper boat', duration: 5 } as const
const everyBytes = Number(process.env.FILMGATE_CUT_EVERY_BYTES ?? 13)
const atOnceMax = 24

test('a connection that is cut or stalls at any byte, of requests or answers, makes one task a call and saves every video whole', async () => {
  await using gateway = await startGateway()
  const whole = await generate(gateway.port)
  const faults = (['cut', 'stall'] as const).flatMap(how =>
    (['up', 'down'] as const).flatMap(direction =>
      Array.from({ length: Math.ceil(whole.passed[direction] / everyBytes) }, (_, step): Fault => {
        return { how, direction, afterBytes: Math.min(step * everyBytes, whole.passed[direction] - 1) }
      }),
    ),
  )
  using _ = fastClock(100)
  const waiting = faults.values()
  let happened = 0
  const worker = async () => {
    for (const fault of waiting) {
      if ((await generate(gateway.port, fault)).happened) happened++
    }
  }
  await Promise.all(Array.from({ length: atOnceMax }, worker))
  expect(gateway.tasks.size).toBe(faults.length + 1)
  // On a busy machine a timer may end an exchange before it comes to its fault.
  expect(happened).toBeGreaterThan(faults.length * 0.95)
  expect(await readdir(folder)).toEqual([])
}, 600_000)

/** One call through one fault. */
async function generate(port: number, fault?: Fault) {
  await using cutter = await startCutter(port, fault)
  const path = join(folder, `${crypto.randomUUID()}.mp4`)
  const filmgate = new Filmgate({ apiKey: 'sk_live_test', baseUrl: urlOf(cutter.port) })
  await filmgate.generate(request, { saveTo: path })
  expect(await readFile(path)).toEqual(video)
  await rm(path)
  return { passed: cutter.passed, happened: cutter.happened() }
}
