import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { GenerationsEventSchema } from '@filmgate/proto/gen/filmgate/v1/generations_pb'
import { GenerationPhase } from '@filmgate/proto/gen/filmgate/v1/generations_pb'
import { encode, topicName, topics } from '@filmgate/proto/topics'
import { type FailureCode, failureMessages, ownFaultMessage, type RefusalCode, refusalMessages } from './attempt'

export type GenerationsEventInit = NonNullable<MessageInitShape<typeof GenerationsEventSchema>['event']>

/** What an event needs of an attempt. */
export type About = { id: string; taskId: string; accountId: string; traceparent: string | null }

const head = ({ taskId, accountId }: About, at: Date) => ({ taskId, accountId, at: timestampFromDate(at) })

export const accepted = (about: About, at: Date): GenerationsEventInit => ({
  case: 'generationAccepted',
  value: { ...head(about, at), attemptId: about.id },
})

export const refused = (about: About, at: Date, code: RefusalCode): GenerationsEventInit => ({
  case: 'generationRefused',
  value: { ...head(about, at), code, message: refusalMessages[code] },
})

/** Refused for a fault of ours, while its client still waits: the same request may be sent again under the same key. */
export const refusedForOwnFault = (about: About, at: Date): GenerationsEventInit => ({
  case: 'generationRefused',
  value: { ...head(about, at), code: 'generation_unavailable', message: ownFaultMessage, freesKey: true },
})

export const uncertain = (about: About, at: Date, cause: string): GenerationsEventInit => ({
  case: 'generationUncertain',
  value: { ...head(about, at), attemptId: about.id, cause },
})

export const copying = (about: About, at: Date): GenerationsEventInit => ({
  case: 'generationProgressed',
  value: { ...head(about, at), phase: GenerationPhase.COPYING },
})

export const completed = (about: About, at: Date, output: { videoUrl: string; bytes: number; sha256: string }): GenerationsEventInit => ({
  case: 'generationCompleted',
  value: { ...head(about, at), videoUrl: output.videoUrl, bytes: BigInt(output.bytes), sha256: output.sha256 },
})

export const failed = (about: About, at: Date, code: FailureCode): GenerationsEventInit => ({
  case: 'generationFailed',
  value: { ...head(about, at), code, message: failureMessages[code] },
})

/** As the outbox takes it: under the account's key, in the trace of the request. */
export const outgoing = (topicPrefix: string, about: About, event: GenerationsEventInit) => ({
  topic: topicName(topicPrefix, 'generations'),
  key: about.accountId,
  value: encode(topics.generations.schema, { event }),
  traceparent: about.traceparent ?? undefined,
})
