import { createHash } from 'node:crypto'
import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { withDeadline } from '@filmgate/kit/deadline'
import { Failure } from '@filmgate/kit/failure'
import { networkOf, siteOf } from '@filmgate/kit/request/network-of'
import type { Reason } from '../errors'
import { countAttempt, deleteAttempts } from './attempt-repository'

/** Counts an attempt and returns whether it is within the limit. */
export async function isWithinLimit(sql: Sql | TransactionSql, limit: Limit, subject: string): Promise<boolean> {
  return (await withDeadline(countUntilExceeded(sql, limit, subject), countTimeoutMs, 'the database')) === undefined
}

/**
 * At most `max` attempts in `windowMs`, per account or other subject. By address: IPv6 counts per /64, because a client
 * can use any address in it, and ten times as many per /48.
 */
export type Limit = { name: string; max: number; windowMs: number; by?: 'address' }

const siteFactor = 10

/** Runs before every sign-in form: an unresponsive database must cause an error within 5 s. */
const countTimeoutMs = 4_800

/** Counts before checking, so that concurrent attempts count too. Throws `too_many` beyond the limit. */
export async function enforceLimit(sql: Sql | TransactionSql, limit: Limit, subject: string): Promise<void> {
  const endsAt = await withDeadline(countUntilExceeded(sql, limit, subject), countTimeoutMs, 'the database')
  if (endsAt === undefined) return
  const seconds = Math.max(1, Math.ceil((endsAt.getTime() - Date.now()) / 1_000))
  throw new Failure<Reason>('too_many', {
    retryAfterSeconds: seconds,
    message: `Too many attempts. Wait ${waitText(seconds)} and try again.`,
  })
}

/**
 * Returns when the window of the first exceeded limit ends. A single network can't use up the limit of its whole site.
 */
async function countUntilExceeded(sql: Sql | TransactionSql, limit: Limit, subject: string): Promise<Date | undefined> {
  for (const { bucket, max } of limitsOf(limit, subject)) {
    const { count, endsAt } = await countAttempt(sql, keyOf(limit, bucket), limit.windowMs)
    if (count > max) return endsAt
  }
  return undefined
}

function limitsOf({ max, by }: Limit, subject: string): { bucket: string; max: number }[] {
  if (by !== 'address') return [{ bucket: subject, max }]
  const site = siteOf(subject)
  return [{ bucket: networkOf(subject), max }, ...(site === undefined ? [] : [{ bucket: `site ${site}`, max: max * siteFactor }])]
}

/** Resets the limit after a successful sign-in. */
export const resetLimit = (sql: Sql, limit: Limit, subject: string) => deleteAttempts(sql, keyOf(limit, subject))

const keyOf = ({ name }: Limit, subject: string): string => createHash('sha256').update(`${name}\n${subject}`).digest('base64url')

const waitText = (seconds: number): string => (seconds <= 90 ? 'a minute' : `${Math.ceil(seconds / 60)} minutes`)
