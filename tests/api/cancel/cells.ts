/** Where a task is when it is cancelled. */
export const phases = ['media', 'submitting', 'queued', 'running', 'copying', 'uncertain', 'completed', 'failed', 'cancelled'] as const
export type Phase = (typeof phases)[number]

/** What its provider does with a cancel. */
export const providers = { can: [], cannot: ['cancel_refused'], lies: ['cancel_lies'], silent: ['cancel_silent'] } as const
export type Provider = keyof typeof providers

export type Cell = {
  phase: Phase
  provider: Provider
  /** Cancels at once. */
  times: 1 | 5
  expected: Expected
}

/** `answers`: what each cancel may be answered; a status, and of 409 the reason. `end`: of the task; `held` has none while its review lasts. */
export type Expected = { answers: string[]; end: 'cancelled' | 'completed' | 'failed' | 'held' }

/** A provider asks nobody where it has nothing to cancel, so that its behaviour changes nothing. */
const byPhase: Record<Phase, Expected | Record<Provider, Expected>> = {
  media: { answers: ['200'], end: 'cancelled' },
  submitting: asked(),
  queued: asked(),
  running: asked(),
  copying: { answers: ['409 finished'], end: 'completed' },
  uncertain: { answers: ['409 uncertain'], end: 'held' },
  completed: { answers: ['409 ended'], end: 'completed' },
  failed: { answers: ['409 ended'], end: 'failed' },
  cancelled: { answers: ['200'], end: 'cancelled' },
}

function asked(): Record<Provider, Expected> {
  return {
    // 202 on a machine so busy that the provider's word is not polled within the time that a cancel waits.
    can: { answers: ['200', '202'], end: 'cancelled' },
    cannot: { answers: ['409 provider_refused'], end: 'completed' },
    lies: { answers: ['202'], end: 'completed' },
    silent: { answers: ['202'], end: 'completed' },
  }
}

/** Every phase, each kind of provider, once and five times at once. */
export const cells: Cell[] = phases.flatMap(phase =>
  (Object.keys(providers) as Provider[]).flatMap(provider =>
    ([1, 5] as const).map(times => {
      const of = byPhase[phase]
      return { phase, provider, times, expected: 'answers' in of ? of : of[provider] }
    }),
  ),
)
