import { listOf } from '@filmgate/proto/operator/answer'
import { Hold } from '@filmgate/proto/operator/provider'
import { type Call, callFor } from '../operator-api'

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
