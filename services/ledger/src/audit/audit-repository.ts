import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import type { Scope } from './scope'

/** How many of each a run looked at. */
export type Checked = { accounts: number; grants: number; reservations: number; entries: number }

export async function countRows(sql: TransactionSql, scope: Scope): Promise<Checked> {
  const [row] = await sql<Checked[]>`
    select (select count(*) from account where ${scope.account(sql`id`)}) as accounts,
           (select count(*) from credit_grant where ${scope.source(sql`id`)}) as grants,
           (select count(*) from reservation where ${scope.source(sql`task_id`)}) as reservations,
           (select count(*) from entry where ${scope.source(sql`source_id`)}) as entries`
  return row ?? { accounts: 0, grants: 0, reservations: 0, entries: 0 }
}

export type Finding = { check: string; detail: string }

export const insertAuditRun = (sql: TransactionSql, scope: string, findings: Finding[], checked: Checked) => sql`
  insert into audit_run (scope, findings, checked) values (${scope}, ${sql.json(findings)}, ${sql.json(checked)})`

export type AuditRun = { at: Date; scope: string; findings: Finding[]; checked: Checked }

/** The latest runs, newest first. */
export const listAuditRuns = (sql: Sql, rowsMax: number) =>
  sql<AuditRun[]>`select at, scope, findings, checked from audit_run order by at desc limit ${rowsMax}`

export type LastAudit = { findings: number; ageSeconds: number }

/** The last audit, whoever ran it. */
export async function findLastAudit(sql: Sql): Promise<LastAudit | undefined> {
  const [row] = await sql<LastAudit[]>`
    select jsonb_array_length(findings)::int as findings, extract(epoch from now() - at)::float8 as "ageSeconds"
    from audit_run order by at desc limit 1`
  return row
}

export const deleteAuditRuns = (sql: Sql, keptDays: number) => sql`delete from audit_run where at < now() - ${keptDays} * interval '1 day'`
