import { OutcomeAttempts, Outcomes } from '@filmgate/proto/operator/provider'
import { type Call, callFor } from '../operator-api'
import { holdLine } from './provider'

const dayMs = 86_400_000

export type Period = { from?: string; to?: string }
export type AttemptFilter = Period & { provider?: string; model?: string; state?: string; code?: string; cursor?: string }

/** What became of attempts made in that time, 31 days at most, by provider and model. */
export const providerOutcomes = (call: Call, { from, to }: Period): Promise<Outcomes> =>
  callFor(call, Outcomes, 'dispatcher', 'GET', `/outcomes?${queryOf({ from, to })}`)

/** The attempts behind a count, newest first. `provider` is `none` for orders that were refused without asking one. */
export const providerAttempts = (call: Call, { from, to, provider, model, state, code, cursor }: AttemptFilter) =>
  callFor(call, OutcomeAttempts, 'dispatcher', 'GET', `/outcomes/attempts?${queryOf({ from, to, provider, model, state, code, cursor })}`)

/** The last day where the period is not given. */
function queryOf({ from, to = new Date().toISOString(), ...filter }: Record<string, string | undefined>): URLSearchParams {
  const query = new URLSearchParams({ from: from ?? new Date(Date.parse(to) - dayMs).toISOString(), to })
  for (const [name, value] of Object.entries(filter)) if (value !== undefined) query.set(name, value)
  return query
}

/** For a person: a row each, its failures in one cell. */
export const outcomesTable = ({ data, holds }: Outcomes) => ({
  outcomes: data.map(({ provider, failures, ...row }) => ({
    provider: provider ?? 'none',
    ...row,
    failures: failures.map(({ state, code, attempts }) => `${attempts} ${code ?? state}`).join(', '),
  })),
  holds: holds.map(hold => `${hold.provider}: ${holdLine(hold)}`),
})
