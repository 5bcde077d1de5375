import { pause } from '@filmgate/kit/deadline'
import { type Behaviour, find, has } from '../behaviour/behaviour'
import { type Reason, refuse } from '../errors'
import type { Fake, Generation, GenerationRequest } from './generation'
import type { GenerationStore } from './generation-store'

export type SubmitDeps = {
  store: GenerationStore
  now: () => number
  newId: () => string
  /** Sets an accepted generation going. */
  start: (generation: Generation) => void
}

/** How the caller is answered; a definite refusal is thrown instead. */
export type SubmitAnswer =
  | { answered: 'created' | 'replayed'; generation: Generation; toldId: string }
  | { answered: 'dropped' | 'broken' | 'bad_json' }

/** Takes a submit, once for each client_task_id, and answers as its behaviours say. `fake`: of a format other than the simulator's own. */
export async function submit(deps: SubmitDeps, request: GenerationRequest, fake?: Fake): Promise<SubmitAnswer> {
  const { store } = deps
  const known = store.findByClientTaskId(request.client_task_id)
  const { rule, behaviours } = known ? { rule: undefined, behaviours: [] } : store.choose(request)
  const note = (answered: string, generation: Generation | null) =>
    store.recordSubmit(
      { client_task_id: request.client_task_id, generation_id: generation?.id ?? null, prompt: request.prompt, answered, at: deps.now() },
      rule?.id ?? null,
    )
  const refusal = refusalOf(behaviours)
  if (refusal) {
    note(refusal, null)
    throw refuse(refusal)
  }
  const before = beforeAccepting(behaviours)
  if (before) {
    note(before.answered, null)
    return before
  }
  const late = find(behaviours, 'accept_late')
  if (late) await pause(late.delay_ms ?? 120_000)
  const earlier = known ?? store.findByClientTaskId(request.client_task_id)
  if (earlier) return replay(earlier, request, note)
  const generation = accept(deps, request, behaviours, fake)
  const answer = afterAccepting(deps, generation)
  note(answer.answered, generation)
  deps.start(generation)
  return answer
}

function refusalOf(behaviours: Behaviour[]): Reason | undefined {
  if (has(behaviours, 'refuse_content')) return 'content_rejected'
  const refusal = find(behaviours, 'refuse')
  return refusal && ((refusal.code ?? 'invalid_request') as Reason)
}

function beforeAccepting(behaviours: Behaviour[]): SubmitAnswer | undefined {
  if (has(behaviours, 'drop_before_accept')) return { answered: 'dropped' }
  if (has(behaviours, '500_before_accept')) return { answered: 'broken' }
  return undefined
}

function replay(known: Generation, request: GenerationRequest, note: (answered: string, generation: Generation) => void): SubmitAnswer {
  if (!Bun.deepEquals(known.request, request)) {
    note('client_task_id_reused', known)
    throw refuse('client_task_id_reused')
  }
  note('replayed', known)
  return { answered: 'replayed', generation: known, toldId: known.id }
}

function accept({ store, now, newId }: SubmitDeps, request: GenerationRequest, behaviours: Behaviour[], fake?: Fake): Generation {
  const at = now()
  const generation: Generation = {
    id: newId(),
    clientTaskId: has(behaviours, 'ignore_token') ? null : request.client_task_id,
    request,
    ...(fake && { fake }),
    behaviours,
    status: 'queued',
    error: null,
    acceptedAt: at,
    updatedAt: at,
  }
  store.accept(generation)
  return generation
}

function afterAccepting({ store, newId }: SubmitDeps, generation: Generation): SubmitAnswer {
  const { behaviours } = generation
  if (has(behaviours, 'accept_then_drop')) return { answered: 'dropped' }
  if (has(behaviours, 'accept_then_500')) return { answered: 'broken' }
  if (has(behaviours, 'bad_json')) return { answered: 'bad_json' }
  const wrong = find(behaviours, 'wrong_id')
  const toldId = (wrong?.of === 'another' ? store.another(generation.id) : undefined) ?? (wrong ? newId() : generation.id)
  return { answered: 'created', generation, toldId }
}
