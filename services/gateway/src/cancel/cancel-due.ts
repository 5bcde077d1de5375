import type { Outbox } from '@filmgate/kit/outbox/outbox'
import { takeDueCancels } from './cancel-repository'
import { type RequestCancelsDeps, requestCancels } from './request-cancels'

export type CancelDueDeps = RequestCancelsDeps & { outbox: Outbox }

const rowsMax = 200

/** Asks once for the end of each task whose client's own deadline has come. What another replica holds is left to it. */
export async function cancelDue({ outbox, ...deps }: CancelDueDeps, signal: AbortSignal): Promise<void> {
  const takeSome = () =>
    outbox.transaction(async (sql, send) => {
      const ids = (await takeDueCancels(sql, rowsMax)).map(({ id }) => id)
      if (ids.length > 0) await requestCancels(deps, { sql, send }, ids, 'deadline')
      return ids.length
    })
  while (!signal.aborted && (await takeSome()) === rowsMax);
}
