import { backoffMs, pause } from '@filmgate/kit/deadline'
import type { Log } from '@filmgate/kit/telemetry/log'
import { has } from '../behaviour/behaviour'
import { callbackOf as falCallback } from '../fal/answers'
import type { Face, Generation } from '../generation/generation'
import { view } from '../generation/read'
import { callbackOf as runwareCallback } from '../runware/answers'

const callbacks: Record<Face['name'], (generation: Generation, face: Face) => object> = { fal: falCallback, runware: runwareCallback }

const triesMax = 3
const answerTimeoutMs = 3_000
const firstPauseMs = 1_000

/** Calls back once a generation is finished, as a view of it in the format of its submit. A hint: what can't be delivered is only logged. */
export async function notify({ log }: { log: Pick<Log, 'warn'> }, generation: Generation): Promise<void> {
  const { callback_url } = generation.request
  if (!callback_url || has(generation.behaviours, 'no_callback')) return
  for (let tries = 1; tries <= triesMax; tries++) {
    try {
      const answer = await fetch(callback_url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(generation.face ? callbacks[generation.face.name](generation, generation.face) : view(generation)),
        redirect: 'manual',
        signal: AbortSignal.timeout(answerTimeoutMs),
      })
      await answer.body?.cancel()
      if (answer.ok) return
      log.warn({ generation: generation.id, status: answer.status, tries }, 'callback refused')
    } catch (error) {
      log.warn({ err: error, generation: generation.id, tries }, 'callback failed')
    }
    if (tries < triesMax) await pause(backoffMs(tries, firstPauseMs, 5_000))
  }
}
