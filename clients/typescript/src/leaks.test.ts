import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Filmgate, type FilmgateError } from './index.ts'
import { countTimers } from './testing/count-timers.ts'
import { startGateway } from './testing/gateway.ts'

const folder = await mkdtemp(join(tmpdir(), 'filmgate-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const request = { model: 'alpha-h3', prompt: 'A paper boat', duration: 5 } as const

/** A signal that counts who listens to it. */
function countedSignal() {
  const controller = new AbortController()
  const { signal } = controller
  const listeners = new Set<unknown>()
  const most = { listeners: 0 }
  const { addEventListener, removeEventListener } = signal
  signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listeners.add(args[1])
    most.listeners = Math.max(most.listeners, listeners.size)
    addEventListener.apply(signal, args)
  }
  signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listeners.delete(args[1])
    removeEventListener.apply(signal, args)
  }
  return { controller, signal, listeners, most }
}

/** Rejections that nobody handles, while it is not disposed. */
function unhandled(): Disposable & { reasons: unknown[] } {
  const reasons: unknown[] = []
  const note = (reason: unknown) => reasons.push(reason)
  process.on('unhandledRejection', note)
  return { reasons, [Symbol.dispose]: () => process.off('unhandledRejection', note) }
}

test('a thousand calls at once with one signal are a thousand tasks, and leave no timer, listener or part of a file', async () => {
  await using gateway = await startGateway()
  using timers = countTimers(50)
  using rejections = unhandled()
  const { signal, listeners, most } = countedSignal()
  const filmgate = new Filmgate({ apiKey: 'sk_live_test', baseUrl: gateway.url })
  const calls = Array.from({ length: 1_000 }, (_, index) =>
    filmgate.generate(request, { signal, ...(index % 10 === 0 && { saveTo: join(folder, `${index}.mp4`) }) }),
  )
  const made = await Promise.all(calls)
  expect(new Set(made.map(({ task }) => task.id)).size).toBe(1_000)
  expect(gateway.tasks.size).toBe(1_000)
  expect((await readdir(folder)).filter(name => !/^\d+\.mp4$/.test(name))).toEqual([])
  // Node warns of more than ten.
  expect([timers.left(), listeners.size, most.listeners, rejections.reasons]).toEqual([0, 0, 1, []])
}, 120_000)

test('a call that is aborted at any moment ends at once as aborted, and leaves nothing behind', async () => {
  await using gateway = await startGateway()
  using timers = countTimers()
  using rejections = unhandled()
  const codes = new Map<string, number>()
  for (let moment = 0; moment < 60; moment++) {
    const { controller, signal, listeners } = countedSignal()
    let moments = 0
    const pass = () => {
      if (moments++ === moment) controller.abort()
    }
    const transform = (chunk: Uint8Array, out: TransformStreamDefaultController<Uint8Array>) => {
      pass()
      out.enqueue(chunk)
      pass()
    }
    const watched = async (url: string, init: RequestInit) => {
      pass()
      const response = await fetch(url, init)
      pass()
      const body = response.body?.pipeThrough(new TransformStream({ transform }))
      return new Response(body ?? null, response)
    }
    const filmgate = new Filmgate({ apiKey: 'sk_live_test', baseUrl: gateway.url, fetch: watched })
    const options = { signal, saveTo: join(folder, 'aborted.part-test.mp4'), onCreated: pass, onProgress: pass }
    const code = await filmgate.generate(request, options).then(
      () => 'made',
      (error: FilmgateError) => error.code,
    )
    codes.set(code, (codes.get(code) ?? 0) + 1)
    // What was aborted was not made, and what had no such moment was.
    expect([moment, code]).toEqual([moment, moments > moment && code === 'aborted' ? 'aborted' : 'made'])
    expect([moment, timers.left(), listeners.size]).toEqual([moment, 0, 0])
  }
  expect(codes.get('aborted')).toBeGreaterThan(15)
  expect((await readdir(folder)).filter(name => name.endsWith('.part'))).toEqual([])
  await Bun.sleep(20)
  expect(rejections.reasons).toEqual([])
}, 60_000)

test('an aborted call frees the places that its stream and its read held', async () => {
  let held = 0
  await using gateway = await startGateway(({ path }, answer) => {
    if (!path.endsWith('/events')) return false
    held++
    answer.on('close', () => held--)
    answer.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    return true
  })
  gateway.state.completeAfterReads = Number.POSITIVE_INFINITY
  const filmgate = new Filmgate({ apiKey: 'sk_live_test', baseUrl: gateway.url })
  for (let round = 0; round < 3; round++) {
    const controller = new AbortController()
    const calls = Array.from({ length: 20 }, () =>
      filmgate.generate(request, { signal: controller.signal }).catch((error: FilmgateError) => error.code),
    )
    while (held < 20) await Bun.sleep(5)
    controller.abort()
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['aborted']))
    while (held > 0) await Bun.sleep(5)
  }
}, 30_000)
