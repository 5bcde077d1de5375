import type { Sql } from '@filmgate/kit/database/postgres'
import type { Finding, RejectionCode } from '../errors'
import type { Measurement } from '../measuring/measurement'

/** `checker` and `limits` are hashes: of what checked, and of what it was checked against. */
export type VerdictKey = { accountId: string; sha256: string; checker: string; limits: string }

/** What was measured, and of which copy; or why the file was rejected. */
export type Verdict = { measured: Measurement; copySha256: string } | { rejected: RejectionCode; finding: Finding }

/** The verdict under these limits, else one of `anyLimits`, the rejections that no limit changes. */
export async function findVerdict(
  sql: Sql,
  { accountId, sha256, checker, limits }: VerdictKey,
  anyLimits: RejectionCode[],
): Promise<Verdict | undefined> {
  const [row] = await sql<{ finding: Verdict }[]>`
    select finding from verdict
    where account_id = ${accountId} and sha256 = ${sha256} and checker = ${checker} and expires_at > now()
      and (limits = ${limits} or finding ->> 'rejected' = any(${anyLimits}))
    order by (limits = ${limits}) desc limit 1`
  return row?.finding
}

export type NewVerdict = VerdictKey & { verdict: Verdict; processorSeconds: number; keptMs: number }

/** The processor time of an hour adds up. What is kept for 0 ms takes the place of no verdict that still holds. */
export async function insertVerdict(
  sql: Sql,
  { accountId, sha256, checker, limits, verdict, processorSeconds, keptMs }: NewVerdict,
): Promise<void> {
  await sql`
    insert into verdict (account_id, sha256, checker, limits, finding, processor_seconds, expires_at)
    values (${accountId}, ${sha256}, ${checker}, ${limits}, ${sql.json(verdict)}, ${processorSeconds},
      now() + ${keptMs} * interval '1 millisecond')
    on conflict (account_id, sha256, checker, limits) do update set
      finding = case when ${keptMs} > 0 then excluded.finding else verdict.finding end,
      expires_at = case when ${keptMs} > 0 then excluded.expires_at else verdict.expires_at end,
      processor_seconds = excluded.processor_seconds
        + case when verdict.judged_at > now() - interval '1 hour' then verdict.processor_seconds else 0 end,
      judged_at = excluded.judged_at`
}

/** Seconds of processor that this account's verdicts of the last hour took. */
export async function processorSecondsOf(sql: Sql, accountId: string): Promise<number> {
  const [row] = await sql<{ seconds: number }[]>`
    select coalesce(sum(processor_seconds), 0) as seconds from verdict
    where account_id = ${accountId} and judged_at > now() - interval '1 hour'`
  return row?.seconds ?? 0
}

/** Deletes up to `rowsMax` verdicts that neither hold nor count any more. Returns the number. */
export async function deleteExpiredVerdicts(sql: Sql, rowsMax: number): Promise<number> {
  const { count } = await sql`
    delete from verdict where ctid = any(array(select ctid from verdict where expires_at < now() - interval '1 hour' order by expires_at limit ${rowsMax}))`
  return count
}
