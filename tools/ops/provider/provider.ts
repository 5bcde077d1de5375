import { listOf } from '@filmgate/proto/operator/answer'
import { Closing, Hold, Provider } from '@filmgate/proto/operator/provider'
import { OpsFault } from '../fault'
import { type Call, callFor } from '../operator-api'

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

/** `model`: that model alone; without it all of the provider. */
export type HoldChange = { provider: string; model?: string; reason: string }

/** New orders are kept from the provider until somebody resumes it. */
export const providerPause = (call: Call, change: HoldChange): Promise<Hold> =>
  callFor(call, Hold, 'dispatcher', 'POST', pathOf(change, 'pause'), bodyOf(change))

/** Ends every hold of exactly that scope, whoever started it; returns them. */
export const providerResume = async (call: Call, change: HoldChange): Promise<Hold[]> =>
  (await callFor(call, listOf(Hold), 'dispatcher', 'POST', pathOf(change, 'resume'), bodyOf(change))).data

const pathOf = ({ provider }: HoldChange, verb: string): string => `/providers/${encodeURIComponent(provider)}/${verb}`
const bodyOf = ({ model, reason }: HoldChange) => ({ reason, ...(model !== undefined && { model }) })

/** A hold in one line. */
export function holdLine({ model, cause, started_at, by, reason, probe_at, probes }: Hold): string {
  const started = `${cause} for ${model ?? 'all models'} since ${started_at}${by === null ? '' : ` by ${by}`}: ${reason}`
  return probe_at === null ? started : `${started}; tried ${probes} times, next try from ${probe_at}`
}

export type ProviderClosing = { provider: string; minutes: number; reason: string }

/** For some minutes what this provider doesn't know of counts, although it shows nothing else of ours or misses too many at once. */
export const providerClose = (call: Call, { provider, minutes, reason }: ProviderClosing) =>
  callFor(call, Closing, 'dispatcher', 'POST', `/providers/${encodeURIComponent(provider)}/close`, { reason, minutes })
