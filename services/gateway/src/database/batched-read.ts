import { createBatch } from '@filmgate/kit/batch'
import { withDeadline } from '@filmgate/kit/deadline'

/** A request that makes other reads too is still answered within 5 s when the database never answers. */
const readTimeoutMs = 3_000

/** `leftMs`: what the request has left, where that is less. */
export type BatchedRead<I, O> = (input: I, leftMs?: number) => Promise<O>

/**
 * A read by id; reads of one moment share a statement. The time that a read may take counts from its call and not from its
 * statement's start, because it can wait behind two statements that hang.
 */
export function createBatchedRead<I, O>(find: (inputs: I[]) => Promise<O[]>): BatchedRead<I, O> {
  // The statement has the deadline too; one that hangs would hold up those behind it.
  const statement = (inputs: I[]) => withDeadline(find(inputs), readTimeoutMs, 'the database')
  const load = createBatch<I, O>(statement, { timeoutMs: readTimeoutMs, what: 'the database' })
  return (input, leftMs = readTimeoutMs) => load(input, Math.min(leftMs, readTimeoutMs))
}

/** A statement of its own, within what the request has left. */
export const readAlone = <T>(statement: Promise<T>, leftMs: number): Promise<T> =>
  withDeadline(statement, Math.min(leftMs, readTimeoutMs), 'the database')
