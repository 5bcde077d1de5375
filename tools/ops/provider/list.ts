import { listOf } from '@filmgate/proto/operator/answer'
import { Provider } from '@filmgate/proto/operator/provider'
import { type Call, callFor } from '../operator-api'
import { holdLine } from './hold'

/** The providers of the routes: which are on, whether each takes our key and what it doesn't know of is believed, what it serves and lacks. They are asked as this is. */
export const providerList = async (call: Call) => (await callFor(call, listOf(Provider), 'dispatcher', 'GET', '/providers')).data

/** For a person: a line for each hold, before the long lists. */
export const listedProviders = (providers: Provider[]) =>
  providers.map(({ provider, on, holds, ...rest }) => ({ provider, on, ...(holds && { holds: holds.map(holdLine) }), ...rest }))
