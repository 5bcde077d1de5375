import { listOf } from '@filmgate/proto/operator/answer'
import { Provider } from '@filmgate/proto/operator/provider'
import { OpsFault } from '../fault'
import { type Call, callFor } from '../operator-api'
import { holdLine } from './hold'

/** The providers of the routes: which are on, whether each takes our key and what it doesn't know of is believed, what it serves and lacks. They are asked as this is. */
export const providerList = async (call: Call) => (await callFor(call, listOf(Provider), 'dispatcher', 'GET', '/providers')).data

export async function providerShow(call: Call, name: string): Promise<Provider> {
  const providers = await providerList(call)
  const found = providers.find(({ provider }) => provider === name)
  if (!found) throw new OpsFault(`There is no provider ${name}; there are ${providers.map(({ provider }) => provider).join(', ')}.`)
  return found
}

/** For a person: a row for each provider that is on, and a line for each hold. `ops provider show` has the rest. */
export const listedProviders = (providers: Provider[]) => ({
  providers: providers
    .filter(({ on }) => on)
    .map(({ provider, key, health, running, missing, asking, holds = [] }) => ({
      ...{ provider, key, health, running, missing, breaker: asking?.breaker, unanswered: asking?.unanswered_calls },
      ...{ held_until: asking?.held_until, rate_limited_until: asking?.rate_limited_until, holds: holds.length },
    })),
  off: providers.filter(({ on }) => !on).map(({ provider }) => provider),
  holds: providers.flatMap(({ provider, holds = [] }) => holds.map(hold => `${provider}: ${holdLine(hold)}`)),
})

/** For a person: a line for each hold, before the long lists. */
export const shownProvider = ({ provider, on, holds, ...rest }: Provider) => ({ provider, on, holds: holds?.map(holdLine) ?? [], ...rest })
