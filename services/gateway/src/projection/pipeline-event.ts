import type { CreditsEvent } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import type { GenerationsEvent } from '@filmgate/proto/gen/filmgate/v1/generations_pb'
import type { MediaEvent } from '@filmgate/proto/gen/filmgate/v1/media_pb'

/** Any event that the services behind the gateway send after a request. */
export type PipelineEvent = CreditsEvent['event'] | MediaEvent['event'] | GenerationsEvent['event']

/** The task whose event it is; undefined for events of accounts. */
export function taskIdOf(event: PipelineEvent): string | undefined {
  if (event.case === undefined || event.case === 'balanceChanged' || event.case === 'creditsChangeDecided') return undefined
  if (event.case === 'budgetSpent') return undefined
  if (event.case === 'taskRecorded') return event.value.request?.order?.taskId
  if (event.case === 'creditsReserved' || event.case === 'mediaVerified') return event.value.order?.taskId
  return event.value.taskId
}
