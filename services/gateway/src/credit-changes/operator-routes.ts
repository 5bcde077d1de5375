import { Failure } from '@filmgate/kit/failure'
import { readJsonAs, takes } from '@filmgate/kit/request/read-json'
import { headerText, words } from '@filmgate/kit/request/text'
import { type TString, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Elysia } from 'elysia'
import type { Reason } from '../errors'
import { type ChangeDeps, changeCredits } from './change-credits'
import { changeView } from './credit-change'

const operatorName = words(200)
const Change = Type.Object(
  {
    id: Type.Optional(Type.String()),
    credits: Type.Integer({ minimum: 1, maximum: 1_000_000_000_000 }),
    balance: Type.Union([Type.Literal('paid'), Type.Literal('starter')]),
    reason: words(500),
    by: Type.Optional(operatorName),
  },
  { additionalProperties: false },
)
const changeId = Type.String({ pattern: '^[a-zA-Z0-9._:-]{1,160}$' })

export type ChangeRouteDeps = ChangeDeps & { now(): Date }

/** Grants and debits: 200 with what became of it, 202 while the ledger has not said. */
export const creditChanges = (deps: ChangeRouteDeps) =>
  new Elysia({ normalize: false })
    .post('/accounts/:id/grants', async ({ request, params, set }) => answer(deps, 'grant', params.id, request, set), takes(Change))
    .post('/accounts/:id/debits', async ({ request, params, set }) => answer(deps, 'debit', params.id, request, set), takes(Change))

async function answer(
  deps: ChangeRouteDeps,
  kind: 'grant' | 'debit',
  accountId: string,
  request: Request,
  set: { status?: number | string },
) {
  const { id, by, ...terms } = await readJsonAs(Change, request)
  const change = await changeCredits(deps, {
    ...terms,
    kind,
    accountId,
    id: one('id', request.headers.get('idempotency-key'), id, changeId),
    operator: one('by', request.headers.get('x-filmgate-operator'), by, operatorName),
    askedAt: deps.now(),
  })
  if (change.state === 'pending') set.status = 202
  return changeView(change)
}

/** What may be said in a header or in the body, and must be said in one of them. */
function one(path: 'id' | 'by', header: string | null, field: string | undefined, form: TString): string {
  const said = header === null ? undefined : headerText(header)
  const value = field ?? said ?? ''
  if (Value.Check(form, value) && (said === undefined || said === value)) return value
  const message =
    path === 'id'
      ? 'send an id of your own (letters, digits and . _ : -, at most 160) in the body or as Idempotency-Key: the same id never moves credits twice'
      : 'send the name of who asks in the body or as X-Filmgate-Operator'
  throw new Failure<Reason>('invalid_request', { details: { issues: [{ path, rule: 'required', message }] } })
}
