import { Failure } from '../../failure'
import type { FetchLimits, FetchReason } from '../fetch-policy'
import type { Ending } from './ending'
import { type Hop, type HopTarget, requestHop } from './request-hop'

/** Addresses of one name that are tried before it counts as unreachable. */
const addressesTriedMax = 4

/** The next address is tried only where no connection came about: nothing has been sent then. */
export async function connectHop(target: HopTarget, addresses: string[], limits: FetchLimits, ending: Ending): Promise<Hop> {
  const tried = addresses.slice(0, addressesTriedMax)
  let failure: unknown = new Failure<FetchReason>('unresolvable', { internal: 'no address' })
  for (const address of tried) {
    try {
      return await requestHop(target, address, limits, ending)
    } catch (error) {
      failure = error
      if (!(error instanceof Failure) || error.reason !== 'unreachable') throw error
    }
  }
  throw failure
}
