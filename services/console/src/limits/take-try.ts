import { createHash } from 'node:crypto'
import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { withDeadline } from '@filmgate/kit/deadline'
import { Failure } from '@filmgate/kit/failure'
import type { Reason } from '../errors'
import { countTry, deleteTries } from './try-repository'

/** Counts one more, and tells whether that is within the limit. */
export async function isWithin(sql: Sql | TransactionSql, limit: Limit, who: string): Promise<boolean> {
  return (await countTry(sql, keyOf(limit, who), limit.windowMs)).count <= limit.max
}

/** At most `max` in `windowMs`, by what `takeTry` is told: an address, an account. */
export type Limit = { name: string; max: number; windowMs: number }

/** Before every form of a sign-in: a database that never answers is told within 5 s. */
const countTimeoutMs = 4_800

/** Counted before anything is looked at, so that tries at one moment count too. Throws `too_many` beyond the limit. */
export async function takeTry(sql: Sql, limit: Limit, who: string): Promise<void> {
  const counting = countTry(sql, keyOf(limit, who), limit.windowMs)
  const { count, endsAt } = await withDeadline(counting, countTimeoutMs, 'the database')
  if (count <= limit.max) return
  const seconds = Math.max(1, Math.ceil((endsAt.getTime() - Date.now()) / 1_000))
  throw new Failure<Reason>('too_many', {
    retryAfterSeconds: seconds,
    message: `Too many tries. Wait ${waitWords(seconds)} and try again.`,
  })
}

/** It was who it should be: earlier tries don't count any more. */
export const forgetTries = (sql: Sql, limit: Limit, who: string) => deleteTries(sql, keyOf(limit, who))

const keyOf = ({ name }: Limit, who: string): string => createHash('sha256').update(`${name}\n${who}`).digest('base64url')

const waitWords = (seconds: number): string => (seconds <= 90 ? 'a minute' : `${Math.ceil(seconds / 60)} minutes`)
