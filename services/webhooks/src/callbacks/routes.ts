import type { Secrets } from '@filmgate/kit/environment/secrets'
import { readJsonAs, takes } from '@filmgate/kit/request/read-json'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { accountAuth } from '../accounts/account-auth'
import { type KeepCallbackDeps, keepCallback } from './keep-callback'

export type CallbackRouteDeps = KeepCallbackDeps & { tokens: Secrets }

/** Fields of a client, which are named to it where they don't fit. */
const Fields = Type.Object(
  { callback_url: Type.Optional(Type.Unknown()), callback_secret: Type.Optional(Type.Unknown()) },
  { additionalProperties: false },
)

/** What the gateway asks before it records a task: to keep its callback. */
export const callbackRoutes = (deps: CallbackRouteDeps) =>
  new Elysia({ name: 'callbacks', prefix: '/accounts/:account/callbacks', normalize: false }).use(accountAuth(deps.tokens)).put(
    '/:task',
    async function putCallback({ params: { account, task }, request, set }) {
      await keepCallback(deps, { accountId: account, taskId: task, fields: await readJsonAs(Fields, request) })
      set.status = 204
    },
    takes(Fields),
  )
