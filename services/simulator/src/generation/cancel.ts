import { find, has } from '../behaviour/behaviour'
import { type Generation, isFinished, type Status } from './generation'
import type { GenerationStore } from './generation-store'

/** `dropped`: no answer. */
export type CancelAnswer = 'taken' | 'refused' | 'dropped'

/** Cancels a generation as its behaviours say; `in`: the states in which its format does. */
export function cancel(store: GenerationStore, generation: Generation, { in: states }: { in: readonly Status[] }): CancelAnswer {
  const { id, status, behaviours } = generation
  const silent = find(behaviours, 'cancel_silent')
  const isCancellable = states.includes(status) && !isFinished(generation) && !has(behaviours, 'cancel_refused')
  if (isCancellable && !has(behaviours, 'cancel_lies') && (!silent || silent.takes)) store.transition(id, 'cancelled')
  if (silent) return 'dropped'
  return isCancellable ? 'taken' : 'refused'
}
