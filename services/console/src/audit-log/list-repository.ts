import type { Sql } from '@filmgate/kit/database/postgres'

export type AuditEntry = {
  id: number
  email: string
  action: string
  subject: string | null
  details: Record<string, string | number | boolean | null>
  address: string | null
  at: Date
}

/** Newest first, with ids below `beforeId`. */
export const listAuditEntries = (sql: Sql, accountId: string, { beforeId, limit }: { beforeId: number | null; limit: number }) =>
  sql<AuditEntry[]>`
    select id, person_email as email, act as action, subject, details, address, at from audit_act
    where account_id = ${accountId} and (${beforeId}::bigint is null or id < ${beforeId}) order by id desc limit ${limit}`
