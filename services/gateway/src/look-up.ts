import { createBatch } from '@filmgate/kit/batch'
import { withDeadline } from '@filmgate/kit/deadline'

/** With what else a request does, its answer is there within 5 s although the database never answers. */
const lookUpTimeoutMs = 3_000

/** `leftMs`: what the request has left, where that is less. */
export type LookUp<I, O> = (input: I, leftMs?: number) => Promise<O>

/**
 * A look-up by id whose asks of one moment share a statement. Nobody waits longer than the time there is, neither for the statement nor
 * behind others that hang: counted for the statement alone, the third of a moment would wait for it twice.
 */
export function createLookUp<I, O>(find: (inputs: I[]) => Promise<O[]>): LookUp<I, O> {
  // The statement keeps the time too: what hangs would keep its turn.
  const statement = (inputs: I[]) => withDeadline(find(inputs), lookUpTimeoutMs, 'the database')
  const load = createBatch<I, O>(statement, { timeoutMs: lookUpTimeoutMs, what: 'the database' })
  return (input, leftMs = lookUpTimeoutMs) => load(input, Math.min(leftMs, lookUpTimeoutMs))
}

/** A statement of its own, within what the request has left. */
export const askedAlone = <T>(statement: Promise<T>, leftMs: number): Promise<T> =>
  withDeadline(statement, Math.min(leftMs, lookUpTimeoutMs), 'the database')
