import { afterAll, expect, test } from 'bun:test'
import { expectEnded, post, prepare, unfinishedMax } from '../support/client/locked-account'
import { audit } from '../support/operator/operator'
import { opsDone } from '../support/operator/ops'
import { forgetRequests, refuseRows, taskIdsOf } from '../support/servers/databases'
import { deadLetters } from '../support/servers/dead-letters'
import { deleteLetters, type Topic, topicName } from '../support/servers/topic-records'
import { simulator } from '../support/simulator'
import { until } from '../support/until'

const testTimeoutMs = 240_000

/** Each event of the tasks was set aside by `group`. */
const setAside = (topic: Topic, group: string) =>
  until(`${unfinishedMax} letters of ${topic}`, async () => {
    const letters = await deadLetters()
    return letters.filter(one => one.topic.startsWith(topicName(topic)) && one.group === group).length >= unfinishedMax
  })

test(
  'the letters of three requests expired: they are made and paid for, by itself',
  async () => {
    const work = await prepare()
    const accept = await refuseRows(['ledger', 'reservation'], work.account.accountId)
    const posted = post(work)
    await setAside('requests', 'filmgate.ledger').finally(accept)
    await deleteLetters('requests')
    expect(await deadLetters()).toEqual([])
    expect(await expectEnded(work, await posted)).toEqual(Array(unfinishedMax).fill('completed'))
  },
  testTimeoutMs,
)

test(
  'the letters of three verdicts expired: ops task retell has each settled as it was made',
  async () => {
    const work = await prepare()
    const accept = await refuseRows(['ledger', 'reservation'], work.account.accountId, "state <> 'settled'")
    const taskIds = await post(work)
    await setAside('generations', 'filmgate.ledger-verdicts').finally(accept)
    await deleteLetters('generations')
    const told = await Promise.all(taskIds.map(id => opsDone('task', 'retell', id)))
    for (const one of told) expect(one).toContain('generationCompleted')
    expect(await expectEnded(work, taskIds)).toEqual(Array(unfinishedMax).fill('completed'))
  },
  testTimeoutMs,
)

test(
  'the letters of three orders expired and their requests were not kept: ops task release refunds each, and nothing is submitted',
  async () => {
    const work = await prepare()
    const accept = await refuseRows(['dispatcher', 'attempt'], work.account.accountId)
    const posted = post(work)
    await setAside('credits', 'filmgate.dispatcher').finally(accept)
    await forgetRequests(work.account.accountId)
    await deleteLetters('credits')
    const taskIds = await taskIdsOf(work.account.accountId)
    await Promise.all(taskIds.map(id => opsDone('task', 'release', id, '--reason', 'its letter expired', '--by', 'ada')))
    expect((await posted).toSorted()).toEqual(taskIds.toSorted())
    expect(await expectEnded(work, await posted)).toEqual(Array(unfinishedMax).fill('failed'))
    for (const { prompt } of work.jobs) expect(await simulator.submits(prompt)).toEqual([])
  },
  testTimeoutMs,
)

afterAll(async () => {
  expect([await deadLetters(), await audit()]).toEqual([[], []])
})
