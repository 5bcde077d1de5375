import { expect, test } from 'bun:test'
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { Kept } from '@filmgate/kit/bus/reading/read-since'
import type { CreditsEventSchema } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import type { RequestsEventSchema } from '@filmgate/proto/gen/filmgate/v1/requests_pb'
import { decode, encode, topics } from '@filmgate/proto/topics'
import { requestsAgain } from './requests-again'

const kept = (value: Uint8Array): Kept => ({ key: 'a1', value, eventId: 'e1', traceparent: undefined })
type Request = NonNullable<MessageInitShape<typeof RequestsEventSchema>['event']>
const request = (event: Request) => kept(encode(topics.requests.schema, { event }))
const credits = (event: NonNullable<MessageInitShape<typeof CreditsEventSchema>['event']>) => kept(encode(topics.credits.schema, { event }))
const order = (taskId: string) => ({ taskId, accountId: 'a1', prompt: 'a cat', credits: 40n })
const reserved = (taskId: string) => credits({ case: 'creditsReserved', value: { order: order(taskId), starter: 4n } })

test('tasks that the ledger held credits for are asked for again with what it held, once each; what it declined or replayed whole is not', () => {
  const asked = (taskId: string, more: object = {}) =>
    request({ case: 'generationRequested', value: { order: order(taskId), idempotencyKey: `key of ${taskId}`, ...more } })
  const grant = request({ case: 'creditsGranted', value: { grantId: 'g1', accountId: 'a1', credits: 100n } })
  const again = requestsAgain(
    [
      request({ case: 'accountOpened', value: { accountId: 'a1', name: 'one' } }),
      grant,
      asked('vt_1', { held: { starter: 4n, ended: true } }),
      asked('vt_1'),
      asked('vt_declined'),
      grant,
      asked('vt_1'),
      request({ case: 'cancelRequested', value: { taskId: 'vt_1', accountId: 'a1' } }),
      asked('vt_2'),
    ],
    [
      reserved('vt_1'),
      credits({ case: 'creditsDeclined', value: { taskId: 'vt_declined', accountId: 'a1' } }),
      reserved('vt_2'),
      reserved('vt_gone'),
    ],
  )
  const events = again.map(({ value }) => decode(topics.requests.schema, value).event)
  expect(events.map(event => event.case)).toEqual(['accountOpened', 'creditsGranted', 'generationRequested', 'generationRequested'])
  expect(events.slice(2)).toMatchObject(
    ['vt_1', 'vt_2'].map(taskId => ({
      value: { order: order(taskId), idempotencyKey: `key of ${taskId}`, held: { starter: 4n, ended: false } },
    })),
  )
})
