import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { personOf } from '@filmgate/kit/operator/second-person'
import type { Reason } from '../../errors'
import { approveBulk, type BulkEnd, findBulkEnd } from './bulk-repository'

/** Approves a bulk end in the name of another operator than who asked for it (403); ends nothing yet. Repeated, the first approval stands. */
export async function approveBulkEnd({ sql }: { sql: Sql }, { id, by }: { id: number; by: string }): Promise<BulkEnd> {
  const bulk = await findBulkEnd(sql, id)
  if (!bulk) throw new Failure<Reason>('bulk_end_not_found')
  if (!isAwaited(bulk)) return bulk
  if (personOf(bulk.askedBy) === personOf(by)) throw new Failure<Reason>('second_person_required')
  await approveBulk(sql, { id, by })
  return (await findBulkEnd(sql, id)) ?? bulk
}

export const isAwaited = ({ needsSecond, approvedBy }: BulkEnd): boolean => needsSecond && approvedBy === null
