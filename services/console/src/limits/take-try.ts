import { createHash } from 'node:crypto'
import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { withDeadline } from '@filmgate/kit/deadline'
import { Failure } from '@filmgate/kit/failure'
import { networkOf, siteOf } from '@filmgate/kit/request/network-of'
import type { Reason } from '../errors'
import { countTry, deleteTries } from './try-repository'

/** Counts one more, and tells whether that is within the limit. */
export async function isWithin(sql: Sql | TransactionSql, limit: Limit, who: string): Promise<boolean> {
  return (await withDeadline(countBeyond(sql, limit, who), countTimeoutMs, 'the database')) === undefined
}

/**
 * At most `max` in `windowMs`, by what `takeTry` is told: an account, or where it says so an address. Of IPv6 that is the /64, of which
 * anybody takes whichever address they like, and beside it ten times as many for the /48.
 */
export type Limit = { name: string; max: number; windowMs: number; by?: 'address' }

const siteFactor = 10

/** Before every form of a sign-in: a database that never answers is told within 5 s. */
const countTimeoutMs = 4_800

/** Counted before anything is looked at, so that tries at one moment count too. Throws `too_many` beyond the limit. */
export async function takeTry(sql: Sql | TransactionSql, limit: Limit, who: string): Promise<void> {
  const endsAt = await withDeadline(countBeyond(sql, limit, who), countTimeoutMs, 'the database')
  if (endsAt === undefined) return
  const seconds = Math.max(1, Math.ceil((endsAt.getTime() - Date.now()) / 1_000))
  throw new Failure<Reason>('too_many', {
    retryAfterSeconds: seconds,
    message: `Too many tries. Wait ${waitWords(seconds)} and try again.`,
  })
}

/** When the window ends of the first bound that is passed; one network alone does not use up what its site has. */
async function countBeyond(sql: Sql | TransactionSql, limit: Limit, who: string): Promise<Date | undefined> {
  for (const { whose, max } of boundsOf(limit, who)) {
    const { count, endsAt } = await countTry(sql, keyOf(limit, whose), limit.windowMs)
    if (count > max) return endsAt
  }
  return undefined
}

function boundsOf({ max, by }: Limit, who: string): { whose: string; max: number }[] {
  if (by !== 'address') return [{ whose: who, max }]
  const site = siteOf(who)
  return [{ whose: networkOf(who), max }, ...(site === undefined ? [] : [{ whose: `site ${site}`, max: max * siteFactor }])]
}

/** It was who it should be: earlier tries don't count any more. */
export const forgetTries = (sql: Sql, limit: Limit, who: string) => deleteTries(sql, keyOf(limit, who))

const keyOf = ({ name }: Limit, who: string): string => createHash('sha256').update(`${name}\n${who}`).digest('base64url')

const waitWords = (seconds: number): string => (seconds <= 90 ? 'a minute' : `${Math.ceil(seconds / 60)} minutes`)
