import { callMaker, type MakerAnswer, type MakerCall, MakerTrouble } from './call'
import type { SubmitOutcome } from './connector'

/** A submit that is one call: what its answer comes to, or what it means that there was none. Never throws for the maker's sake. */
export async function submitByCall(
  call: Omit<MakerCall, 'call' | 'method'>,
  outcomeOf: (answer: MakerAnswer) => SubmitOutcome,
): Promise<SubmitOutcome> {
  try {
    return outcomeOf(await callMaker({ ...call, call: 'submit', method: 'POST' }))
  } catch (error) {
    if (!(error instanceof MakerTrouble)) throw error
    if (error.sent) return { outcome: 'unknown', cause: error.message }
    return { outcome: 'refused', code: 'generation_unavailable', cause: `not sent: ${error.message}` }
  }
}
