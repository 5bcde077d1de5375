import { createBatch } from '@filmgate/kit/batch'
import { withDeadline } from '@filmgate/kit/deadline'

/** With what else a request does, its answer is there within 5 s although the database never answers. */
const lookUpTimeoutMs = 3_000

/**
 * A look-up by id whose asks of one moment share a statement. Nobody waits longer than the time there is, neither for the statement nor
 * behind others that hang: counted for the statement alone, the third of a moment would wait for it twice.
 */
export function createLookUp<I, O>(find: (inputs: I[]) => Promise<O[]>): (input: I) => Promise<O> {
  const load = createBatch<I, O>(inputs => withDeadline(find(inputs), lookUpTimeoutMs, 'the database'))
  return input => withDeadline(load(input), lookUpTimeoutMs, 'the database')
}
