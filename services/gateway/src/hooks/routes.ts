import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { withDeadline } from '@filmgate/kit/deadline'
import { Failure } from '@filmgate/kit/failure'
import type { Outbox } from '@filmgate/kit/outbox/outbox'
import { readBody } from '@filmgate/kit/request/read-json'
import { encode, topicName, topics } from '@filmgate/proto/topics'
import { Elysia } from 'elysia'
import type { Reason } from '../errors'
import { type LimitAddressDeps, limitAddress } from '../rate-limit/limit-address'
import { challengeOf } from './challenge'
import type { ReadToken } from './read-token'
import type { VerifyCallback } from './verify-callback'

export type HookDeps = LimitAddressDeps & {
  outbox: Pick<Outbox, 'transaction'>
  topicPrefix: string
  readToken: ReadToken
  verifyCallback: VerifyCallback
  now(): Date
}

/** A provider that was answered 503 calls again; an event that was written all the same only has the dispatcher look twice. */
const writeTimeoutMs = 4_000

const providerForm = /^[a-z0-9-]{1,40}$/
const tokenForm = /^[A-Za-z0-9_-]{16,128}$/

/**
 * Providers call back here. A call only has the dispatcher ask the provider at once; one whose signature is the provider's also says about which of its ids.
 * Nothing else of it is kept. A call at an address that we did not make is 404 and leaves no row. A provider that asks first whether the address is ours gets its challenge back, and nothing is kept of that.
 */
export const hooks = (deps: HookDeps) =>
  new Elysia({ name: 'hooks', normalize: false }).post(
    '/hooks/:provider/:token',
    async function postHook({ params, request, set }) {
      limitAddress(deps, request, { kind: 'hook ', set })
      if (!providerForm.test(params.provider) || !tokenForm.test(params.token)) throw new Failure<Reason>('not_found')
      const attemptToken = await deps.readToken(params.provider, params.token)
      if (attemptToken === undefined) throw new Failure<Reason>('not_found')
      const body = await readBody(request)
      const challenge = challengeOf(params.provider, body)
      if (challenge !== undefined) return { challenge }
      const proof = await deps.verifyCallback(params.provider, request.headers, body)
      const value = encode(topics.callbacks.schema, {
        event: {
          case: 'providerCalledBack',
          value: {
            provider: params.provider,
            attemptToken,
            at: timestampFromDate(deps.now()),
            ...(proof.proved === 'verified' && { providerTaskId: proof.providerTaskId }),
          },
        },
      })
      const written = deps.outbox.transaction(async (_, send) =>
        send([{ topic: topicName(deps.topicPrefix, 'callbacks'), key: attemptToken, value }]),
      )
      await withDeadline(written, writeTimeoutMs, 'the database')
      set.status = 204
      return undefined
    },
    { parse: 'none' },
  )
