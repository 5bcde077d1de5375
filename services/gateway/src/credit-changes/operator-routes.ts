import { Failure } from '@filmgate/kit/failure'
import { needsRole } from '@filmgate/kit/operator/needs-role'
import { By, operatorName } from '@filmgate/kit/operator/operator-name'
import { provenName } from '@filmgate/kit/operator/second-person'
import { readJsonAs } from '@filmgate/kit/request/read-json'
import { headerText, words } from '@filmgate/kit/request/text'
import type { AwaitedChange, ChangeResult, ChangeRow } from '@filmgate/proto/operator/account'
import type { Listed } from '@filmgate/proto/operator/answer'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Elysia } from 'elysia'
import type { Reason } from '../errors'
import { approveChange } from './approve-change'
import { type AwaitDeps, awaitSecond } from './await-second'
import { awaitedView, listAwaited } from './awaited-change-repository'
import { type ChangeDeps, changeCredits } from './change-credits'
import { type CreditChange, changeView } from './credit-change'

const Change = Type.Object(
  {
    id: Type.Optional(Type.String()),
    credits: Type.Integer({ minimum: 1, maximum: 1_000_000_000_000 }),
    balance: Type.Union([Type.Literal('paid'), Type.Literal('starter')]),
    reason: words(500),
    by: By,
  },
  { additionalProperties: false },
)
const changeId = Type.String({ pattern: '^[a-zA-Z0-9._:-]{1,160}$' })

export type ChangeRouteDeps = ChangeDeps & AwaitDeps & { now(): Date }

const awaitedMax = 500

/** Grants and debits: 200 with the ledger's decision, 202 while there is none, or while one above the limit waits for a second operator. */
export const creditChanges = (deps: ChangeRouteDeps) =>
  new Elysia({ normalize: false })
    .post(
      '/accounts/:id/grants',
      async ({ request, params, set }) => answer(deps, 'grant', params.id, request, set),
      needsRole('money', Change),
    )
    .post(
      '/accounts/:id/debits',
      async ({ request, params, set }) => answer(deps, 'debit', params.id, request, set),
      needsRole('money', Change),
    )
    .get('/credit-changes', async function getAwaited(): Promise<Listed<AwaitedChange>> {
      return { data: (await listAwaited(deps.sql, awaitedMax)).map(awaitedView) }
    })
    .post(
      '/credit-changes/:id/approve',
      async function postApproval({ request, params: { id }, set }) {
        return shown(await approveChange(deps, { id, operator: provenName(request) }), set)
      },
      needsRole('money'),
    )

async function answer(
  deps: ChangeRouteDeps,
  kind: 'grant' | 'debit',
  accountId: string,
  request: Request,
  set: { status?: number | string },
): Promise<ChangeResult> {
  const { id, by, ...terms } = await readJsonAs(Change, request)
  const change = {
    ...terms,
    kind,
    accountId,
    id: oneId(request.headers.get('idempotency-key'), id),
    operator: operatorName(request, by),
    askedAt: deps.now(),
  }
  if (deps.grantLimit !== undefined && change.credits > deps.grantLimit) provenName(request, by)
  const awaited = await awaitSecond(deps, change)
  if (!awaited) return shown(await changeCredits(deps, change), set)
  set.status = 202
  return awaitedView(awaited)
}

function shown(change: CreditChange, set: { status?: number | string }): ChangeRow {
  if (change.state === 'pending') set.status = 202
  return changeView(change)
}

/** The id that makes a change count once: from the header or from the body, one of which must have it. */
function oneId(header: string | null, field: string | undefined): string {
  const inHeader = header === null ? undefined : headerText(header)
  const value = field ?? inHeader ?? ''
  if (Value.Check(changeId, value) && (inHeader === undefined || inHeader === value)) return value
  const message =
    'send an id of your own (letters, digits and . _ : -, at most 160) in the body or as Idempotency-Key: the same id never moves credits twice'
  throw new Failure<Reason>('invalid_request', { details: { issues: [{ path: 'id', rule: 'required', message }] } })
}
