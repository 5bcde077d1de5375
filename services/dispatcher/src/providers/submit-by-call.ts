import { callProvider, type ProviderAnswer, type ProviderCall, ProviderTrouble } from './call'
import type { SubmitOutcome } from './connector'

/** A submit that is one call: what its answer comes to, or what it means that there was none. Never throws for the provider's sake. */
export async function submitByCall(
  call: Omit<ProviderCall, 'call' | 'method'>,
  outcomeOf: (answer: ProviderAnswer) => SubmitOutcome,
): Promise<SubmitOutcome> {
  try {
    return outcomeOf(await callProvider({ ...call, call: 'submit', method: 'POST' }))
  } catch (error) {
    if (!(error instanceof ProviderTrouble)) throw error
    if (error.sent) return { outcome: 'unknown', cause: error.message }
    return { outcome: 'refused', code: 'generation_unavailable', cause: `not sent: ${error.message}` }
  }
}
