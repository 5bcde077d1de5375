import { backoffMs, pause } from '@filmgate/kit/deadline'
import type { Log } from '@filmgate/kit/telemetry/log'
import { callbackOf as arkCallback } from '../ark/answers'
import { has } from '../behaviour/behaviour'
import { callbackOf as falCallback } from '../fal/answers'
import type { SignCallback } from '../fal/sign-callback'
import type { Fake, Generation } from '../generation/generation'
import { view } from '../generation/read'
import { callbackOf as googleCallback } from '../google/answers'
import { callbackOf as klingCallback } from '../kling/answers'
import { callbackOf as minimaxCallback } from '../minimax/answers'
import { givesBack } from '../minimax/challenge'
import { callbackOf as replicateCallback } from '../replicate/answers'
import { callbackOf as runwareCallback } from '../runware/answers'
import { callbackOf as viduCallback } from '../vidu/answers'

/** Those formats that take an address to call. */
const callbacks: Partial<Record<Fake['name'], (generation: Generation, fake: Fake) => object>> = {
  fal: falCallback,
  runware: runwareCallback,
  ark: arkCallback,
  minimax: minimaxCallback,
  kling: klingCallback,
  google: googleCallback,
  vidu: viduCallback,
  replicate: replicateCallback,
}

/** Formats whose callbacks go only where an address was found to be the caller's. */
const checks: Partial<Record<Fake['name'], (url: string) => Promise<boolean>>> = { minimax: givesBack }

const triesMax = 3
const answerTimeoutMs = 3_000
const firstPauseMs = 1_000

export type NotifyDeps = { log: Pick<Log, 'warn'>; signCallback: SignCallback }

/** Calls back once a generation is finished, as a view of it in the format of its submit. A hint: what can't be delivered is only logged. */
export async function notify(deps: NotifyDeps, generation: Generation): Promise<void> {
  const { log } = deps
  const { callback_url } = generation.request
  if (!callback_url || has(generation.behaviours, 'no_callback')) return
  const check = generation.fake && checks[generation.fake.name]
  if (check && !(await check(callback_url)))
    return log.warn({ generation: generation.id }, 'callback not wanted: its address gave no challenge back')
  for (let tries = 1; tries <= triesMax; tries++) {
    try {
      const answer = await fetch(callback_url, {
        method: 'POST',
        ...calledBack(deps, generation),
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

function calledBack({ signCallback }: NotifyDeps, generation: Generation): { headers: Record<string, string>; body: string } {
  const { id, fake, behaviours } = generation
  const body = JSON.stringify(fake ? callbacks[fake.name]?.(generation, fake) : view(generation))
  const signature = fake?.name === 'fal' ? signCallback(id, body, behaviours) : {}
  return { headers: { 'content-type': 'application/json', ...signature }, body }
}
