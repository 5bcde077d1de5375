import { Failure } from '@filmgate/kit/failure'
import { answerRendered } from '@filmgate/kit/http/answer-rendered'
import type { TokenAnswer } from '@filmgate/kit/request/local-bucket'
import { Elysia } from 'elysia'
import type { Reason } from '../errors'
import { estimateRequest } from '../estimate/estimate-request'
import { answerGeneration } from '../generations/answer-generation'
import type { CreateDeps } from '../generations/create-generation'
import { oncePerCatalog, renderModels } from '../models/render-models'
import { type Answering, tellLimit, tellPolicy } from '../rate-limit/tell-limit'
import { type AuthDeps, accountAuth, consoleAuth, throwIfClosed } from './auth'

export type GenerationRouteDeps = AuthDeps & CreateDeps & { takeToken(bucket: string): Promise<TokenAnswer>; rateLimit: number }

/** Stands where a key's id stands: as the scope of an account's Idempotency-Keys, and as the name of its bucket. No key has such an id. */
const consoleKeyOf = (accountId: string): string => `console:${accountId}`

export const modelsRoute = (deps: GenerationRouteDeps) => {
  const render = oncePerCatalog(renderModels)
  return new Elysia({ normalize: false }).use(consoleAuth(deps)).get('/models', function getModels({ request, set }) {
    return answerRendered(request, set, render(deps.currentCatalog()), 'application/json', 'private, no-cache')
  })
}

export const generationRoutes = (deps: GenerationRouteDeps) =>
  new Elysia({ normalize: false })
    .use(accountAuth(deps))
    .post(
      '/accounts/:id/estimate',
      async function postEstimate({ request, account: { id, available, starter } }) {
        const estimated = await estimateRequest(deps.currentCatalog(), request, { accountId: id })
        const sufficient = estimated.credits <= available + starter
        return { ...estimated, sufficient_credits: sufficient, available_credits: available, starter_credits: starter }
      },
      { parse: 'none' },
    )
    .post(
      '/accounts/:id/generations',
      async function postGeneration({ request, account, person, leftMs, set }) {
        throwIfClosed(account)
        const keyId = consoleKeyOf(account.id)
        await takeToken(deps, keyId, set)
        return answerGeneration(deps, { request, set, caller: { accountId: account.id, keyId }, surface: 'web', memberId: person, leftMs })
      },
      { parse: 'none' },
    )

/** The account's token for a generation, from a bucket like that of a key; 429 where none is left. */
async function takeToken(deps: GenerationRouteDeps, bucket: string, set: Answering): Promise<void> {
  tellPolicy(set, deps.rateLimit)
  const token = await deps.takeToken(bucket)
  const waitSeconds = tellLimit(set, deps.rateLimit, token)
  if (!token.taken) throw new Failure<Reason>('rate_limited', { retryAfterSeconds: Math.max(1, waitSeconds) })
}
