import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { insertAuditEntry } from '../audit-log/audit-entry-repository'
import type { Reason } from '../errors'
import type { Gateway, GatewayResult } from '../gateway/gateway'
import type { Person } from '../http/person'
import type { FormFields } from '../http/read-form'

export const scopes = ['account', 'key', 'member'] as const
export type Scope = (typeof scopes)[number]
export const periods = ['total', 'day', 'month'] as const
export type Period = (typeof periods)[number]

/** Whose caps: `name` is for people, the id for the gateway. */
export type Subject = { scope: Scope; id: string; name: string }

/** As the gateway shows them. */
export type BudgetsView = {
  time_zone: string
  data: {
    budget: Scope
    id: string
    applied: boolean
    caps: { period: Period; max_credits: number; spent_credits: number; left_credits: number; resets_at: string | null }[]
  }[]
}

/** What a form had, as it was written; an empty cap is none. */
export type BudgetFields = Record<Period | 'time_zone', string>
export type BudgetIssues = Partial<BudgetFields>
type Body = Partial<Record<Period, number>> & { time_zone?: string }

const capForm = /^\d{1,12}$/
const capMessage = 'Enter whole credits, or nothing.'

export function readBudget(form: FormFields, { scope }: Subject): { fields: BudgetFields; issues: BudgetIssues; body: Body } {
  const fields = { total: form.get('total'), day: form.get('day'), month: form.get('month'), time_zone: form.get('time_zone') }
  const issues: BudgetIssues = {}
  const body: Body = {}
  for (const period of periods) {
    if (fields[period] === '') continue
    if (capForm.test(fields[period])) body[period] = Number(fields[period])
    else issues[period] = capMessage
  }
  if (scope === 'account' && fields.time_zone !== '') body.time_zone = fields.time_zone
  return { fields, issues, body }
}

export type SaveDeps = { sql: Sql; gateway: Gateway }
type SaveInput = { person: Person; accountId: string; subject: Subject; body: Body }

/** Replaces the caps at the gateway; a result that is not ok says what is wrong with them. */
export async function saveBudget(
  { sql, gateway }: SaveDeps,
  { person, accountId, subject, body }: SaveInput,
): Promise<GatewayResult<unknown>> {
  const path = `/accounts/${accountId}/budgets/${subject.scope}/${encodeURIComponent(subject.id)}`
  const answer = await gateway.request(person, { method: 'PUT', path, body })
  if (!answer.ok && answer.status === 404) throw new Failure<Reason>('not_found')
  if (!answer.ok && answer.status !== 400)
    throw new Failure<Reason>('service_unavailable', { internal: `the gateway answered ${answer.status} ${answer.code}` })
  if (answer.ok)
    await insertAuditEntry(sql, person, {
      ...{ accountId, action: 'budget.set', subject: subject.id },
      details: { scope: subject.scope, name: subject.name, total: null, day: null, month: null, ...body },
    })
  return answer
}
