import type { Sql } from '@filmgate/kit/database/postgres'
import type { Log } from '@filmgate/kit/telemetry/log'
import { isUnanswering } from './hold'
import { countUndecided, type UndecidedBounds } from './hold-repository'

/** Providers that leave so many submits undecided. */
export async function findUnanswering(sql: Sql, providers: string[], bounds: UndecidedBounds): Promise<Set<string>> {
  const found = await countUndecided(sql, providers, bounds)
  return new Set(found.filter(one => isUnanswering(one, bounds.undecidedMax, bounds.certainMax)).map(({ provider }) => provider))
}

export type SilenceDeps = { sql: Sql; log: Pick<Log, 'warn'>; undecidedMax: number; slowMs: number; windowMs: number }

/** Between the two looks that find a provider silent, in milliseconds. */
const secondLookMs = 1_000

/**
 * Finds providers that fall silent. Two looks must agree: while our database is slow, answers that came wait to be written. Where it can't be
 * asked, no provider is silent.
 */
export function createFindSilent({ sql, log, undecidedMax, slowMs, windowMs }: SilenceDeps): (providers: string[]) => Promise<Set<string>> {
  /** When each was first seen so. */
  const suspectedAtMs = new Map<string, number>()
  return async providers => {
    const found = await findUnanswering(sql, providers, { undecidedMax, certainMax: undecidedMax, slowMs, windowMs }).catch(error => {
      log.warn({ err: error }, 'unanswered submits not counted')
      return new Set<string>()
    })
    const nowMs = performance.now()
    const silent = providers.filter(provider => {
      const forMs = nowMs - (suspectedAtMs.get(provider) ?? Number.NEGATIVE_INFINITY)
      if (!found.has(provider)) suspectedAtMs.delete(provider)
      else if (forMs > slowMs) suspectedAtMs.set(provider, nowMs)
      return found.has(provider) && forMs >= secondLookMs && forMs <= slowMs
    })
    return new Set(silent)
  }
}
