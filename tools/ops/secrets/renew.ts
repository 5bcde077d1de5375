import { listOf } from '@filmgate/proto/operator/answer'
import { RenewedPortion, SecretUse } from '@filmgate/proto/operator/secret'
import { OpsFault } from '../fault'
import { type Call, callFor } from '../operator-api'

/** `left`: how much another value of the secret is still needed for. `note`: why a service was not asked. */
export type RenewedSecret = { secret: string; renewed: number; left: number } | { service: string; note: string }

const encrypting = ['webhooks', 'console'] as const

/** Puts what the services have encrypted under the first value of its secret, and counts what is left under others. */
export async function secretsRenew(call: Call): Promise<RenewedSecret[]> {
  const { data } = await callFor(call, listOf(SecretUse), 'gateway', 'GET', '/secrets')
  const shown: RenewedSecret[] = data.map(use => ({ ...use, renewed: 0 }))
  for (const service of encrypting)
    shown.push(
      await renewAll(call, service).catch((error: unknown) => {
        // An installation may have neither of them.
        if (error instanceof OpsFault && error.status === undefined) return { service, note: error.message }
        throw error
      }),
    )
  return shown
}

async function renewAll(call: Call, service: (typeof encrypting)[number]): Promise<RenewedSecret> {
  const sum = { secret: '', renewed: 0, left: 0 }
  let after: string | null = ''
  while (after !== null) {
    const portion: RenewedPortion = await callFor(call, RenewedPortion, service, 'POST', '/secrets/renew', after === '' ? {} : { after })
    sum.secret = portion.secret
    sum.renewed += portion.renewed
    sum.left += portion.left
    after = portion.next
  }
  return sum
}
