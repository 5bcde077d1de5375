import { pause } from '@filmgate/kit/deadline'
import { listOf } from '@filmgate/proto/operator/answer'
import { Contradiction, EpochPart } from '@filmgate/proto/operator/books'
import { OpenReviews } from '@filmgate/proto/operator/review'
import { ReplayPart } from '@filmgate/proto/operator/task'
import { type Call, callFor } from '../operator-api'
import type { Service } from '../settings'

export type RecoverInput = { since: string; waitSeconds: number }
export type Recovered = { step: string; rows: number }

/** `epoch` is the ledger's; the others are parts of a service's replay. */
type Step = { service: Service; part: 'accounts' | 'changes' | 'tasks' | 'epoch' }

/**
 * Each group brings back what the next one builds on: what was asked of the ledger, what it decided, and what became of the tasks. Events about
 * one account keep their order within a topic only, so that the groups wait for each other.
 */
const groups: Step[][] = [
  [
    { service: 'gateway', part: 'accounts' },
    { service: 'gateway', part: 'changes' },
    { service: 'gateway', part: 'tasks' },
  ],
  [
    { service: 'ledger', part: 'epoch' },
    { service: 'ledger', part: 'changes' },
    { service: 'ledger', part: 'tasks' },
  ],
  [
    { service: 'media-probe', part: 'tasks' },
    { service: 'dispatcher', part: 'tasks' },
  ],
]

/**
 * Has every service publish again what it decided since a moment, from its own rows. Each event may come twice, so that it can be run again, as
 * after a step that failed.
 */
export async function recover(call: Call, input: RecoverInput, progress: (words: string) => void): Promise<Recovered[]> {
  const done: Recovered[] = []
  for (const group of groups) {
    for (const step of group) {
      const rows = await perform(call, step, input.since, rows => progress(`${nameOf(step)}: ${rows} so far`))
      done.push({ step: nameOf(step), rows })
      progress(`${nameOf(step)}: ${rows} rows`)
    }
    progress(`waiting ${input.waitSeconds} s, until the services have taken that`)
    await pause(input.waitSeconds * 1_000)
  }
  for (const words of await openQuestions(call)) progress(words)
  return done
}

const nameOf = ({ service, part }: Step): string => `${service} ${part}`

async function perform(call: Call, { service, part }: Step, since: string, progress: (rows: number) => void): Promise<number> {
  let rows = 0
  for (let after: string | null | undefined; after !== null; ) {
    const behind: Record<string, string> = after === undefined ? {} : { after }
    if (part === 'epoch') {
      const page: EpochPart = await callFor(call, EpochPart, service, 'POST', '/epoch', behind)
      rows += page.accounts
      after = page.next
    } else {
      const page: ReplayPart = await callFor(call, ReplayPart, service, 'POST', '/replay', { part, since, ...behind })
      rows += page.rows
      after = page.next
    }
    if (after !== null) progress(rows)
  }
  return rows
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
