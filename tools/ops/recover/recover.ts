import type { GroupName } from '@filmgate/proto/groups'
import { listOf } from '@filmgate/proto/operator/answer'
import { Contradiction } from '@filmgate/proto/operator/books'
import { OpenReviews } from '@filmgate/proto/operator/review'
import { decisionsMax, ReplayPart, RestoredDecisions } from '@filmgate/proto/operator/task'
import { type Call, callFor } from '../operator-api'
import type { Service } from '../settings'
import type { RecoveryBroker } from './broker'

export type RecoverInput = { since: string }
export type Recovered = { step: string; rows: number }

/** `epoch` is the ledger's; the others are parts of a service's replay. */
type Step = { service: Service; part: 'accounts' | 'changes' | 'tasks' | 'epoch' }

/** `handledBy`: who takes what its steps publish, in recovery mode. */
type Stage = { steps: Step[]; handledBy: GroupName[] }

/**
 * Each stage brings back what the next one builds on: what was asked of the ledger, what it decided, and what became of the tasks. Events about
 * one account keep their order within a topic only, so that the stages wait for each other.
 */
const stages: Stage[] = [
  {
    steps: [
      { service: 'gateway', part: 'accounts' },
      { service: 'gateway', part: 'changes' },
      { service: 'gateway', part: 'tasks' },
    ],
    handledBy: ['ledger'],
  },
  {
    steps: [
      { service: 'ledger', part: 'epoch' },
      { service: 'ledger', part: 'changes' },
      { service: 'ledger', part: 'tasks' },
    ],
    handledBy: ['gateway', 'probeVerify', 'dispatcher'],
  },
  {
    steps: [
      { service: 'media-probe', part: 'tasks' },
      { service: 'dispatcher', part: 'tasks' },
    ],
    handledBy: ['gateway', 'dispatcher'],
  },
]

/**
 * Gives back what the broker still has of requests, decisions about media and notices for webhooks, and has every service publish again what it
 * decided since a moment, from its own rows. Each event may come twice, so that it can be run again, as after a step that failed.
 */
export async function recover(
  call: Call,
  broker: RecoveryBroker,
  { since }: RecoverInput,
  progress: (words: string) => void,
): Promise<Recovered[]> {
  const done: Recovered[] = []
  const note = (step: string, rows: number) => {
    done.push({ step, rows })
    progress(`${step}: ${rows} rows`)
  }
  note('media decisions on the broker', await restoreDecisions(call, await broker.mediaDecisions(new Date(since))))
  note('requests on the broker', await broker.republishRequests(new Date(since)))
  for (const { steps, handledBy } of stages) {
    for (const step of steps) {
      note(nameOf(step), await perform(call, step, since, rows => progress(`${nameOf(step)}: ${rows} so far`)))
    }
    await broker.untilHandled(handledBy, progress)
  }
  // Last: a service that repeated a task's end has told of it by now.
  note('notices on the broker', await broker.republishNotices(new Date(since)))
  await broker.untilHandled(['webhooks'], progress)
  for (const words of await openQuestions(call)) progress(words)
  return done
}

const nameOf = ({ service, part }: Step): string => `${service} ${part}`

async function perform(call: Call, { service, part }: Step, since: string, progress: (rows: number) => void): Promise<number> {
  let rows = 0
  for (let after: string | null | undefined; after !== null; ) {
    const behind: Record<string, string> = after === undefined ? {} : { after }
    const [path, body] = part === 'epoch' ? ['/epoch', behind] : ['/replay', { part, since, ...behind }]
    const page: ReplayPart = await callFor(call, ReplayPart, service, 'POST', path, body)
    rows += page.rows
    after = page.next
    if (after !== null) progress(rows)
  }
  return rows
}

/** Before orders come again to media-probe, which would check their files anew. Returns how many it had lost. */
async function restoreDecisions(call: Call, events: Uint8Array[]): Promise<number> {
  let restored = 0
  for (const some of portionsOf(events.map(event => Buffer.from(event).toString('base64'))))
    restored += (await callFor(call, RestoredDecisions, 'media-probe', 'POST', '/decisions', { events: some })).restored
  return restored
}

/** Services take bodies of 64 KiB. The files of an order that is longer are checked anew. */
const bodyLengthMax = 60_000

function portionsOf(texts: string[]): string[][] {
  const portions: string[][] = []
  let left = 0
  for (const text of texts.filter(({ length }) => length <= bodyLengthMax)) {
    const last = portions.at(-1)
    left -= text.length
    if (last && left >= 0 && last.length < decisionsMax) last.push(text)
    else {
      portions.push([text])
      left = bodyLengthMax - text.length
    }
  }
  return portions
}

/** What no service can know: a person decides. */
async function openQuestions(call: Call): Promise<string[]> {
  const reviews = await callFor(call, OpenReviews, 'dispatcher', 'GET', '/reviews')
  const contradictions = await callFor(call, listOf(Contradiction), 'ledger', 'GET', '/contradictions')
  return [
    `${reviews.total ?? reviews.data.length} reviews are open: whether a provider makes the video is not known (ops review list)`,
    `${contradictions.data.length} contradictions are open: verdicts that the books can't follow (ops audit, ops task show)`,
    'not brought back: API keys, members and webhook endpoints made in the lost time; their owners make them again',
  ]
}
