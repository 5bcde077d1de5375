import type { Sql } from '@filmgate/kit/database/postgres'

export type ActRow = {
  id: number
  email: string
  act: string
  subject: string | null
  details: Record<string, string | number | boolean | null>
  address: string | null
  at: Date
}

/** Newest first, from before `beforeId`. */
export const listActs = (sql: Sql, accountId: string, { beforeId, limit }: { beforeId: number | null; limit: number }) =>
  sql<ActRow[]>`
    select id, person_email as email, act, subject, details, address, at from audit_act
    where account_id = ${accountId} and (${beforeId}::bigint is null or id < ${beforeId}) order by id desc limit ${limit}`
