import { checkBody } from '@filmgate/kit/check-body'
import { Failure } from '@filmgate/kit/failure'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Reason } from '../errors'
import { readJson } from '../generations/read-json'
import { type ChangeDeps, changeCredits } from './change-credits'
import { changeView } from './credit-change'

/** No letter and no name has a control character, and Postgres takes no NUL. */
const name = Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\u0000-\\u001f]+$' })
const Change = Type.Object(
  {
    id: Type.Optional(Type.String()),
    credits: Type.Integer({ minimum: 1, maximum: 1_000_000_000_000 }),
    balance: Type.Union([Type.Literal('paid'), Type.Literal('starter')]),
    reason: Type.String({ minLength: 1, maxLength: 500, pattern: '^[^\\u0000]+$' }),
    by: Type.Optional(name),
  },
  { additionalProperties: false },
)
const idForm = /^[a-zA-Z0-9._:-]{1,160}$/

export type ChangeRouteDeps = ChangeDeps & { now(): Date }

/** Grants and debits: 200 with what became of it, 202 while the ledger has not said. */
export const creditChanges = (deps: ChangeRouteDeps) =>
  new Elysia({ normalize: false })
    .post('/accounts/:id/grants', async ({ request, params, set }) => answer(deps, 'grant', params.id, request, set), { parse: 'none' })
    .post('/accounts/:id/debits', async ({ request, params, set }) => answer(deps, 'debit', params.id, request, set), { parse: 'none' })

async function answer(
  deps: ChangeRouteDeps,
  kind: 'grant' | 'debit',
  accountId: string,
  request: Request,
  set: { status?: number | string },
) {
  const { id, by, ...terms } = checkBody(Change, await readJson(request))
  const change = await changeCredits(deps, {
    ...terms,
    kind,
    accountId,
    id: one('id', request.headers.get('idempotency-key'), id, idForm),
    operator: one('by', request.headers.get('x-filmgate-operator'), by, new RegExp(name.pattern ?? '')),
    askedAt: deps.now(),
  })
  if (change.state === 'pending') set.status = 202
  return changeView(change)
}

/** What may be said in a header or in the body, and must be said in one of them. */
function one(path: 'id' | 'by', header: string | null, field: string | undefined, form: RegExp): string {
  const value = field ?? header?.slice(0, 201) ?? ''
  if (form.test(value) && (header === null || header === value)) return value
  const message =
    path === 'id'
      ? 'send an id of your own (letters, digits and . _ : -, at most 160) in the body or as Idempotency-Key: the same id never moves credits twice'
      : 'send the name of who asks in the body or as X-Filmgate-Operator'
  throw new Failure<Reason>('invalid_request', { details: { issues: [{ path, rule: 'required', message }] } })
}
