import { setTimeout as pause } from 'node:timers/promises'
import type { TSchema } from '@sinclair/typebox'
import { OpsFault } from './fault'
import { type Call, callFor, type Json } from './operator-api'

/** `path`: of its runs at the console. `name`: what messages call it. */
type Kind<R> = { answer: TSchema & { static: R }; path: string; name: string }
type Run = { id: string; state: string; fault: string | null }
export type Waiting = { signal?: AbortSignal; progress?(words: string): void; everyMs?: number }

const lookEveryMs = 1_000

/** Begins a run at the console, and waits for its end; Ctrl-C ends the waiting alone. Throws where it failed. */
export async function waitForRun<R extends Run>(
  call: Call,
  { answer, path, name }: Kind<R>,
  body: Json,
  { signal, progress = () => {}, everyMs = lookEveryMs }: Waiting = {},
): Promise<R> {
  let run = await callFor(call, answer, 'console', 'POST', path, body)
  progress(`the ${name} ${run.id} has begun`)
  while (run.state === 'running' && !signal?.aborted) {
    await pause(everyMs, undefined, { signal }).catch(() => {})
    run = await callFor(call, answer, 'console', 'GET', `${path}/${run.id}`)
  }
  if (run.state === 'failed') throw new OpsFault(`The ${name} ${run.id} failed: ${run.fault?.replace(/\.?$/, '.')}`)
  return run
}
