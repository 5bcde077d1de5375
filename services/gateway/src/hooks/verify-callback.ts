import type { Log } from '@filmgate/kit/telemetry/log'
import { counter } from '@filmgate/kit/telemetry/metrics'
import { type CallbackProof, proofs } from './callback-proof'
import { createPublishedKeys } from './published-keys'
import { verifyFal } from './verify-fal'

export type VerifyCallback = (provider: string, headers: Headers, body: Uint8Array) => Promise<CallbackProof>

export type VerifyCallbackDeps = {
  /** Where fal publishes its keys; undefined: its callbacks are hints. */
  falJwksUrl: string | undefined
  falUserId: string | undefined
  now: () => Date
  log: Pick<Log, 'warn'>
}

const callbacks = counter('provider_callbacks', 'Callbacks of providers by what their signature proved; all but verified ones are hints', {
  proved: proofs,
})

/** Checks the signature of a provider's callback where that provider signs and its keys are known. */
export function createVerifyCallback({ falJwksUrl, falUserId: userId, now, log }: VerifyCallbackDeps): VerifyCallback {
  const falKeys = falJwksUrl === undefined ? undefined : createPublishedKeys({ url: falJwksUrl, now: () => now().getTime(), log })
  return async (provider, headers, body) => {
    const proof: CallbackProof =
      provider === 'fal' && falKeys ? await verifyFal({ keys: falKeys, userId, now }, headers, body) : { proved: 'unsigned' }
    callbacks.add(1, { proved: proof.proved })
    return proof
  }
}
