import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import type { Log } from '@filmgate/kit/telemetry/log'
import { Elysia } from 'elysia'
import type { Reason } from '../../errors'
import type { StripeApi } from '../stripe/stripe-api'
import { readRawBody } from './read-raw-body'
import { received, receiveEvent } from './receive-event'

export type WebhookDeps = { sql: Sql; log: Log; stripe: StripeApi | undefined; wakeEvents(): void }

/** Stripe's webhook. 200 only means that the event is stored. */
export const webhook = (deps: WebhookDeps) =>
  new Elysia({ name: 'stripe-webhook', normalize: false }).post(
    '/webhooks/stripe',
    async function postEvent({ request }) {
      const { stripe, log } = deps
      if (!stripe) throw new Failure<Reason>('not_found')
      const payload = await readRawBody(request)
      const event = await stripe.verify(payload, request.headers.get('stripe-signature') ?? '').catch(error => {
        received.add(1, { result: 'forged' })
        // The error contains the whole body, which may contain personal data.
        log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'webhook rejected: invalid Stripe signature')
        throw new Failure<Reason>('invalid_signature')
      })
      const isNew = await receiveEvent(deps.sql, event)
      received.add(1, { result: isNew ? 'kept' : 'again' })
      if (isNew) deps.wakeEvents()
      return { received: true }
    },
    { parse: 'none' },
  )
