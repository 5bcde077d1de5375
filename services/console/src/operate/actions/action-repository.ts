import type { Sql } from '@filmgate/kit/database/postgres'
import type { Role } from '@filmgate/kit/environment/operator-environment'
import type { OperatorActionName } from './operator-actions'

export type Outcome = 'done' | 'refused' | 'unknown'
export type Details = Record<string, string | number | boolean>

export type NewAction = {
  personId: string
  email: string
  role: Role
  action: OperatorActionName
  subject: string
  accountId: string | null
  reason: string
  details: Details
  address: string | null
}
export type ActionRow = NewAction & { id: number; at: Date; outcome: Outcome | null; answer: string | null }

export async function insertAction(sql: Sql, action: NewAction): Promise<number> {
  const [row] = await sql<{ id: number }[]>`
    insert into operator_act (person_id, email, role, act, subject, account_id, reason, details, address)
    values (${action.personId}, ${action.email}, ${action.role}, ${action.action}, ${action.subject}, ${action.accountId}, ${action.reason},
            ${JSON.stringify(action.details)}::text::jsonb, ${action.address})
    returning id::float8 as id`
  return row?.id ?? 0
}

export const endAction = (sql: Sql, id: number, { outcome, answer }: { outcome: Outcome; answer: string }) =>
  sql`update operator_act set outcome = ${outcome}, answer = ${answer}, ended_at = now() where id = ${id} and outcome is null`

const columns = (sql: Sql) => sql`
  id::float8 as id, person_id as "personId", email, role, act as action, subject, account_id as "accountId", reason, details, address, at, outcome, answer`

/** Only the person's own action. */
export async function findAction(sql: Sql, id: number, personId: string): Promise<ActionRow | undefined> {
  const [row] = await sql<ActionRow[]>`select ${columns(sql)} from operator_act where id = ${id} and person_id = ${personId}`
  return row
}

/** '' filters nothing. */
export type ActionFilter = { operator: string; action: string; account: string }

/** Newest first. */
export const listActions = (
  sql: Sql,
  { operator, action, account, beforeId, rowsMax }: ActionFilter & { beforeId: number | null; rowsMax: number },
) =>
  sql<ActionRow[]>`
    select ${columns(sql)} from operator_act
    where (${beforeId}::bigint is null or id < ${beforeId})
      ${operator === '' ? sql`` : sql`and lower(email) = lower(${operator})`} ${action === '' ? sql`` : sql`and act = ${action}`}
      ${account === '' ? sql`` : sql`and account_id = ${account}`}
    order by id desc limit ${rowsMax}`
