import { counter } from '@filmgate/kit/telemetry/metrics'
import { NotCancelledReason } from '@filmgate/proto/gen/filmgate/v1/generations_pb'

/** Why a cancel does not end its generation, and the reason as it is published. */
export const notCancelledReasons = {
  provider_cannot: NotCancelledReason.PROVIDER_CANNOT,
  provider_refused: NotCancelledReason.PROVIDER_REFUSED,
  provider_silent: NotCancelledReason.PROVIDER_SILENT,
  uncertain: NotCancelledReason.UNCERTAIN,
  finished: NotCancelledReason.FINISHED,
} as const
export type NotCancelled = keyof typeof notCancelledReasons

/** `provider_took`: its polls say what came of it. `ended`: it had an end already. */
export const cancels = counter('cancels', 'Cancels by what became of them', {
  outcome: ['before_submit', 'provider_took', 'ended', ...(Object.keys(notCancelledReasons) as NotCancelled[])],
})
