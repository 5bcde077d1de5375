import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import type { CrossAudit } from './cross-audit'

type AnySql = Sql | TransactionSql

export type NewCrossAudit = Pick<CrossAudit, 'id' | 'requestedBy' | 'since' | 'until' | 'createdAt'>

/** False if one with this id exists, or another manual one is running. */
export async function insertCrossAudit(sql: AnySql, { id, requestedBy, since, until, createdAt }: NewCrossAudit): Promise<boolean> {
  const rows = await sql`
    insert into cross_audit (id, requested_by, since_at, until_at, created_at)
    values (${id}, ${requestedBy}, ${since}, ${until}, ${createdAt})
    on conflict do nothing returning id`
  return rows.length === 1
}

const columns = (sql: AnySql) => sql`
  id, requested_by as "requestedBy", since_at as since, until_at as until, state, compared, findings, fault, created_at as "createdAt",
  ended_at as "endedAt"`

export async function findCrossAudit(sql: AnySql, id: string): Promise<CrossAudit | undefined> {
  const [run] = await sql<CrossAudit[]>`select ${columns(sql)} from cross_audit where id = ${id}`
  return run
}

/** Newest first. */
export const listCrossAudits = (sql: AnySql, limit: number) =>
  sql<CrossAudit[]>`select ${columns(sql)} from cross_audit order by created_at desc, id limit ${limit}`

/** The last one that came to its end. */
export async function findLastCrossAudit(sql: AnySql): Promise<CrossAudit | undefined> {
  const [run] = await sql<CrossAudit[]>`select ${columns(sql)} from cross_audit where state = 'done' order by ended_at desc limit 1`
  return run
}

/** Of the last one that came to its end, without what it found. */
export async function measureLastCrossAudit(sql: Sql): Promise<(Pick<CrossAudit, 'compared'> & { ageSeconds: number }) | undefined> {
  const [last] = await sql<{ compared: CrossAudit['compared']; ageSeconds: number }[]>`
    select compared, extract(epoch from now() - ended_at)::float8 as "ageSeconds"
    from cross_audit where state = 'done' order by ended_at desc limit 1`
  return last
}

export const endCrossAudit = (sql: TransactionSql, id: string, { compared, findings }: Pick<CrossAudit, 'compared' | 'findings'>) => sql`
  update cross_audit set state = 'done', compared = ${sql.json(compared)}, findings = ${sql.json(findings)}, ended_at = now()
  where id = ${id}`

export const failCrossAudit = (sql: TransactionSql, id: string, fault: string) =>
  sql`update cross_audit set state = 'failed', fault = ${fault}, ended_at = now() where id = ${id}`

export const deleteCrossAudits = (sql: Sql, keptDays: number) =>
  sql`delete from cross_audit where created_at < now() - ${keptDays} * interval '1 day' and state <> 'running'`
