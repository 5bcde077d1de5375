import { afterAll, beforeAll, expect, test } from 'bun:test'
import { create } from '@bufbuild/protobuf'
import { OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { answerBadly, type Step, twoStepFakes } from '../../testing/answers/answer-badly'
import { type CallName, calls, expectedOf, meanings } from '../../testing/answers/expected'
import { type Observed, observeLookUp, observeOutput, observePoll, observeSubmit } from '../../testing/answers/observe'
import { pageFile, renderPage } from '../../testing/answers/page'
import { type Row, rowNames } from '../../testing/answers/rows'
import { signal, submission } from '../../testing/drive-fake'
import { type Fake, fakeNamed, fakes } from '../../testing/fakes'
import { connectXai } from '../xai/connect-xai'

let server: Awaited<ReturnType<typeof answerBadly>>
beforeAll(async () => {
  server = await answerBadly()
})
afterAll(() => server.stop())

/** Only silence waits for its end: a slow machine must not make a silence of another answer. */
const timeoutOf = (row: Row) => (row === 'silence' ? 300 : 30_000)

function connectorFor(fake: Fake, row: Row, step: Step = 'first') {
  const timeoutMs = timeoutOf(row)
  return fake.connect({ url: server.urlOf(row, step, fake.name), key: 'key:secret', submitTimeoutMs: timeoutMs, readTimeoutMs: timeoutMs })
}

const observe: Record<CallName, (fake: Fake, row: Row) => Promise<Observed> | undefined> = {
  submit: (fake, row) => observeSubmit(connectorFor(fake, row), fake),
  poll: (fake, row) => observePoll(connectorFor(fake, row), fake),
  result: (fake, row) => (twoStepFakes.includes(fake.name) ? observePoll(connectorFor(fake, row, 'second'), fake) : undefined),
  'look-up': (fake, row) => (fake.found ? observeLookUp(connectorFor(fake, row)) : undefined),
  output: (fake, row) => observeOutput(connectorFor(fake, row), `${server.urlOf(row, 'first', 'output')}/film.mp4`, timeoutOf(row)),
}

for (const call of calls)
  test(`what bad answers come to at every provider: ${call}`, async () => {
    const wrong = await Promise.all(
      fakes.flatMap(fake =>
        rowNames.map(async row => {
          const observed = await observe[call](fake, row)
          const verdict = expectedOf(fake.name, call, row)
          const expected = { verdict, event: meanings[verdict].event }
          return !observed || Bun.deepEquals(observed, expected) ? [] : [{ fake: fake.name, row, observed, expected }]
        }),
      ),
    )
    expect(wrong.flat()).toEqual([])
  })

test.each<[status: number, json: string, page: string, empty: string]>([
  [200, 'unknown', 'unknown', 'unknown'],
  [307, 'unknown', 'unknown', 'unknown'],
  [400, 'unknown', 'unknown', 'unknown'],
  [401, 'refused', 'refused', 'refused'],
  [402, 'refused', 'refused', 'refused'],
  [403, 'refused', 'refused', 'refused'],
  [404, 'unknown', 'unknown', 'unknown'],
  [408, 'unknown', 'unknown', 'unknown'],
  [409, 'unknown', 'unknown', 'unknown'],
  [413, 'refused', 'refused', 'refused'],
  [422, 'unknown', 'unknown', 'unknown'],
  [429, 'refused', 'refused', 'refused'],
  [499, 'unknown', 'unknown', 'unknown'],
  [502, 'unknown', 'unknown', 'unknown'],
  [521, 'unknown', 'unknown', 'unknown'],
])('a submit that is answered %d without a word of the provider’s: JSON %s, a page %s, nothing %s', async (status, json, page, empty) => {
  const outcomes = await Promise.all(
    ['{"message":"words"}', '<html>', ''].map(async body => {
      const anybody = Bun.serve({ port: 0, fetch: () => new Response(body, { status }) })
      const url = `http://127.0.0.1:${anybody.port}`
      const provider = connectXai({ url, key: 'k', submitTimeoutMs: 30_000, readTimeoutMs: 30_000 })
      const sent = submission(provider, create(OrderSchema, { ...fakeNamed('xai').order, prompt: 'words' }))
      const { outcome } = await provider.submit(sent, signal)
      await anybody.stop(true)
      return outcome as string
    }),
  )
  expect(outcomes).toEqual([json, page, empty])
})

test('the page for operators says the same', async () => {
  expect(await Bun.file(pageFile).text()).toBe(renderPage())
})
