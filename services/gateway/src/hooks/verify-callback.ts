import type { Log } from '@filmgate/kit/telemetry/log'
import { counter } from '@filmgate/kit/telemetry/metrics'
import { type CallbackProof, proofs } from './callback-proof'
import { createPublishedKeys } from './published-keys'
import { verifyFal } from './verify-fal'

export type VerifyCallback = (maker: string, headers: Headers, body: Uint8Array) => Promise<CallbackProof>

export type VerifyCallbackDeps = {
  /** Where fal publishes its keys; undefined: its callbacks are hints. */
  falJwksUrl: string | undefined
  falUserId: string | undefined
  now: () => Date
  log: Pick<Log, 'warn'>
}

const callbacks = counter('maker_callbacks', 'Callbacks of makers by what their signature proved; all but verified ones are hints', {
  proved: proofs,
})

/** Checks the signature of a maker's callback where that maker signs and its keys are known. */
export function createVerifyCallback({ falJwksUrl, falUserId: userId, now, log }: VerifyCallbackDeps): VerifyCallback {
  const falKeys = falJwksUrl === undefined ? undefined : createPublishedKeys({ url: falJwksUrl, now: () => now().getTime(), log })
  return async (maker, headers, body) => {
    const proof: CallbackProof =
      maker === 'fal' && falKeys ? await verifyFal({ keys: falKeys, userId, now }, headers, body) : { proved: 'unsigned' }
    callbacks.add(1, { proved: proof.proved })
    return proof
  }
}
