import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Driver, drive, endOf, foundBy, signal, startFakes } from '../../testing/drive-fake'
import { type Expected, type Fake, fakes, refused, unknown } from '../../testing/fakes'
import { type Behaviour, submitsOf } from '../../testing/test-system'
import { ProviderTrouble } from '../call'

let simulator: Awaited<ReturnType<typeof startFakes>>
beforeAll(async () => {
  simulator = await startFakes()
})
afterAll(() => simulator.stop())

/** How submits end at every provider that doesn't say otherwise. */
const submits: Expected[] = [
  [
    { name: 'refuse', code: 'balance_exhausted' },
    { ...refused, account: 'no_balance' },
  ],
  [
    { name: 'refuse', code: 'unauthorized' },
    { ...refused, account: 'key_refused' },
  ],
  ...['too_many_requests', 'forbidden', 'invalid_request', 'input_unreachable'].map(
    (code): Expected => [{ name: 'refuse', code }, refused],
  ),
  [{ name: 'refuse_content' }, { outcome: 'refused', code: 'prompt_rejected' }],
  ...['drop_before_accept', '500_before_accept', 'accept_then_drop', 'accept_then_500', 'bad_json'].map(
    (name): Expected => [{ name }, unknown],
  ),
]

/** How what was accepted ends. */
const polls: Expected[] = [
  [{ name: 'fails_after_accept' }, { status: 'failed', code: 'generation_failed' }],
  [{ name: 'moderated' }, { status: 'failed', code: 'output_moderated' }],
  [{ name: 'vanishes' }, { status: 'missing' }],
  [{ name: 'wrong_id' }, { status: 'missing' }],
  [{ name: 'read_500', times: 3 }, { status: 'succeeded' }],
  [{ name: 'unknown_status', times: 3 }, { status: 'succeeded' }],
  [{ name: 'completed_then_processing' }, { status: 'succeeded' }],
  [{ name: 'slow', delay_ms: 200 }, { status: 'succeeded' }],
]

const withOwn = (common: Expected[], own: Expected[] = [], never: string[] = []): Expected[] => [
  ...common.filter(([fault]) => !never.includes(fault.name) && !own.some(([other]) => Bun.deepEquals(fault, other))),
  ...own,
]
const generationsOf = async (prompt: string) =>
  new Set((await submitsOf(simulator.url, prompt)).flatMap(({ generation_id: id }) => id ?? []))
/** An id of the same form that nobody was given. */
const unknownId = (providerTaskId: string) => providerTaskId.replace(/[0-9a-z]{10}$/, '0000000000')

for (const fake of fakes)
  describe(fake.name, () => {
    let driver: Driver
    beforeAll(() => {
      driver = drive(simulator.url, fake, simulator.connect(fake))
    })

    test('from submit to a video', async () => {
      const { polled, poll } = await driver.acceptWith({ name: 'instant' })
      expect(polled.echoed).toBe(fake.echoes ?? false)
      const end = await endOf(poll)
      expect(end).toMatchObject({ status: 'succeeded' })
      const url = end.status === 'succeeded' ? end.outputUrl : ''
      const { header, value } = driver.provider.outputCredential ?? {}
      if (header) expect([401, 403]).toContain((await fetch(url)).status)
      const video = await fetch(url, header && value ? { headers: { [header]: value } } : {})
      expect([video.status, video.headers.get('content-type')]).toEqual([200, 'video/mp4'])
    })

    test.each(withOwn(submits, fake.submits))('a submit that meets %o', async (fault, expected) => {
      const { prompt, outcome } = await driver.submitWith(fault, { name: 'never_finishes' })
      expect(outcome).toMatchObject(expected)
      expect((await submitsOf(simulator.url, prompt)).length).toBe(1)
    })

    test('a submit whose answer comes too late', async () => {
      const hurried = drive(simulator.url, fake, simulator.connect(fake, { submitTimeoutMs: 500 }))
      const { outcome } = await hurried.submitWith({ name: 'accept_late', delay_ms: 2_000 }, { name: 'never_finishes' })
      expect(outcome).toMatchObject(unknown)
    })

    test.each(withOwn(polls, fake.polls, fake.never))('an accepted one that meets %o', async (fault, expected) => {
      const { poll } = await driver.acceptWith(fault, { name: 'instant' })
      expect(await endOf(poll)).toMatchObject(expected)
    })

    test('another key is told apart from an absence, and an id is said to be ours only where answers repeat our own', async () => {
      const { polled, sent } = await driver.acceptWith({ name: 'never_finishes' })
      const stranger = simulator.connect(fake, { key: 'another-key-altogether' })
      await expect(stranger.poll([polled], signal)).rejects.toThrow(ProviderTrouble)
      if (fake.found) await expect(stranger.lookUp?.(sent.attemptId, signal)).rejects.toThrow(ProviderTrouble)
      expect([await driver.provider.checkKey(signal), await stranger.checkKey(signal)]).toEqual(['accepted', 'refused'])
      const cause = fake.badKey instanceof RegExp ? expect.stringMatching(fake.badKey) : fake.badKey
      expect(await stranger.submit(driver.submissionOf('prompt'), signal)).toMatchObject({ ...refused, cause })
      expect(await driver.provider.identify(polled, signal)).toEqual({ attemptId: fake.echoes ? sent.attemptId : null })
      expect(await driver.provider.identify({ ...polled, providerTaskId: unknownId(polled.providerTaskId) }, signal)).toBeUndefined()
    })

    test('a lost submit that is sent again buys what the provider’s documents say', async () => {
      const { prompt, sent } = await driver.submitOnceWith({ name: 'accept_then_drop' }, { name: 'never_finishes' })
      const [first] = await generationsOf(prompt)
      const { generations, outcome } = fake.sentAgain ?? { generations: 2 }
      const again = await driver.provider.submit(sent, signal)
      expect(again).toMatchObject(outcome ?? { outcome: 'accepted' })
      // Where it is looked up by our own id, the look-ups below compare it.
      if (generations === 1 && !fake.found) expect(again).toMatchObject({ providerTaskId: first ?? '' })
      expect((await generationsOf(prompt)).size).toBe(generations)
      expect(driver.provider.capabilities.ownId === 'idempotent').toBe(generations === 1)
    })

    healing(fake, () => driver)

    if (fake.echoes && !fake.never)
      test('an id that is another’s is missing', async () => {
        const first = await driver.acceptWith({ name: 'never_finishes' })
        const { polled, poll } = await driver.acceptWith({ name: 'wrong_id', of: 'another' }, { name: 'instant' })
        expect(polled.providerTaskId).toBe(first.polled.providerTaskId)
        expect(await poll()).toEqual({ status: 'missing' })
      })

    test('a cancel ends at most what its documents say, and only a poll says that it did', async () => {
      expect([driver.provider.capabilities.cancel, driver.provider.cancel !== undefined]).toEqual([
        fake.cancels ?? 'none',
        fake.cancels !== undefined,
      ])
      if (!fake.cancels) return
      const holds: Behaviour = { name: fake.cancels === 'queued' ? 'stays_queued' : 'slow', delay_ms: 1_000 }
      const cancelOf = async (...faults: Behaviour[]) => {
        const { polled, poll } = await driver.acceptWith(...faults, { name: 'instant' })
        return { answer: driver.provider.cancel?.(polled, signal), poll }
      }
      const can = await cancelOf(holds)
      expect(await can.answer).toBe('taken')
      expect(await endOf(can.poll)).toMatchObject({ status: 'cancelled' })
      const lies = await cancelOf(holds, { name: 'cancel_lies' })
      expect(await lies.answer).toBe('taken')
      expect(await endOf(lies.poll)).toMatchObject({ status: 'succeeded' })
      expect(await (await cancelOf(holds, { name: 'cancel_refused' })).answer).toBe('refused')
      if (fake.cancels === 'queued') expect(await (await cancelOf({ name: 'never_finishes' })).answer).toBe('refused')
      await expect((await cancelOf(holds, { name: 'cancel_silent' })).answer).rejects.toThrow(ProviderTrouble)
    })

    if (fake.billed)
      test('what a generation cost is told with its end, and a false cost is not kept', async () => {
        const endWith = async (...faults: Behaviour[]) => endOf((await driver.acceptWith({ name: 'instant' }, ...faults)).poll)
        expect(await endWith()).toMatchObject({ status: 'succeeded', billed: fake.billed })
        for (const as of [null, -1, 'free']) {
          const end = await endWith({ name: 'cost_told', as })
          expect([as, end.status, 'billed' in end]).toEqual([as, 'succeeded', false])
        }
      })
  })

/** What is found of a submit whose answer was lost. */
function healing(fake: Fake, driverOf: () => Driver): void {
  if (!fake.found) {
    test('nothing is looked up by an id of ours', () => expect(driverOf().provider.lookUp).toBeUndefined())
    return
  }
  const lost = [...['accept_then_drop', 'accept_then_500', 'bad_json', 'wrong_id'].map(name => [{ name }]), ...fake.found]

  test.each(lost.map(faults => [faults]))('an answer lost by %o is found by our own id', async faults => {
    const { provider, pollOf, submitWith } = driverOf()
    const { prompt, sent } = await submitWith(...faults, { name: 'instant' })
    const { polled, poll } = pollOf(sent, await foundBy(provider, sent.attemptId), true)
    if (fake.sentAgain) {
      const { outcome = { outcome: 'accepted', providerTaskId: polled.providerTaskId, echoed: true } } = fake.sentAgain
      expect(await provider.submit(sent, signal)).toEqual(outcome as never)
    }
    expect(await provider.identify(polled, signal)).toEqual({ attemptId: sent.attemptId })
    expect(await endOf(poll)).toMatchObject({ status: 'succeeded' })
    expect((await generationsOf(prompt)).size).toBe(1)
  })

  test.each([['vanishes'], ['drop_before_accept'], ['ignore_token'], ['lookup_lags']])(
    'one that meets %s is not found, which proves nothing',
    async name => {
      const fault = name === 'lookup_lags' ? { name, delay_ms: 5_000 } : { name }
      const { sent } = await driverOf().submitWith(fault, { name: 'never_finishes' })
      expect(await driverOf().provider.lookUp?.(sent.attemptId, signal)).toBeUndefined()
    },
  )

  test('a look-up that breaks is trouble, and finds it afterwards', async () => {
    const { provider, submitWith } = driverOf()
    const { sent } = await submitWith({ name: 'lookup_500', times: 1 }, { name: 'never_finishes' })
    await expect(provider.lookUp?.(sent.attemptId, signal)).rejects.toThrow(ProviderTrouble)
    expect(await provider.lookUp?.(sent.attemptId, signal)).toBeString()
  })
}
