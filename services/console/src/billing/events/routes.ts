import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import type { Log } from '@filmgate/kit/telemetry/log'
import { Elysia } from 'elysia'
import type { Reason } from '../../errors'
import type { StripeApi } from '../stripe/stripe-api'
import { readRaw } from './read-raw'
import { received, receiveEvent } from './receive-event'

export type WebhookDeps = { sql: Sql; log: Log; stripe: StripeApi | undefined; wakeEvents(): void }

/** Where Stripe tells what happened. 200 says that it is kept, and nothing else. */
export const webhook = (deps: WebhookDeps) =>
  new Elysia({ name: 'stripe-webhook', normalize: false }).post(
    '/webhooks/stripe',
    async function postEvent({ request }) {
      const { stripe, log } = deps
      if (!stripe) throw new Failure<Reason>('not_found')
      const payload = await readRaw(request)
      const event = await stripe.verify(payload, request.headers.get('stripe-signature') ?? '').catch(error => {
        received.add(1, { result: 'forged' })
        // The error holds the whole body, which says who paid wherever the secret is wrong.
        log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'a webhook that Stripe has not signed')
        throw new Failure<Reason>('invalid_signature')
      })
      const isNew = await receiveEvent(deps.sql, event)
      received.add(1, { result: isNew ? 'kept' : 'again' })
      if (isNew) deps.wakeEvents()
      return { received: true }
    },
    { parse: 'none' },
  )
