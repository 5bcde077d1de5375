import { listOf } from '@filmgate/proto/operator/answer'
import { ProviderAttempt } from '@filmgate/proto/operator/attempt'
import { Acknowledged } from '@filmgate/proto/operator/books'
import { CancelledTask, PublishedEvents, TaskRow } from '@filmgate/proto/operator/task'
import { askService, type Known } from '../ask-service'
import { OpsFault } from '../fault'
import { type ListOptions, listPage } from '../list-page'
import { type Call, callFor, type Json } from '../operator-api'

export type TaskFilter = { account?: string; status?: string; billing?: string; model?: string; since?: string; until?: string }

/** Tasks of all accounts, newest first, as the gateway has them. */
export const taskList = (call: Call, filter: ListOptions & TaskFilter) => {
  const { account, status, billing, model, since, until, limit, cursor } = filter
  return listPage(call, TaskRow, '/tasks', { account, status, billing, model, since, until, limit, cursor })
}

/** The attempts that a provider knows by this id. */
export const taskFind = async (call: Call, { providerTaskId }: { providerTaskId: string }) => {
  const query = new URLSearchParams({ provider_task_id: providerTaskId })
  return (await callFor(call, listOf(ProviderAttempt), 'dispatcher', 'GET', `/attempts?${query}`)).data
}

/** In the pipeline's order: each service also answers what the one before it publishes. */
const pipeline = ['gateway', 'ledger', 'media-probe', 'dispatcher'] as const

/**
 * A task's whole history as the four services that know it tell it. One that doesn't answer is said to be silent, not left out; a task that
 * none of those that answer knows is a fault.
 */
export async function taskShow(call: Call, { taskId }: { taskId: string }): Promise<Json> {
  const path = `/tasks/${encodeURIComponent(taskId)}`
  const answers = await Promise.all(pipeline.map(service => askService(call, service, path)))
  if (!answers.some(answer => 'known' in answer)) {
    const silent = answers.flatMap(answer => ('silent' in answer ? [answer.silent] : []))
    throw new OpsFault([`There is no task ${taskId} in any service that answers.`, ...silent].join('\n'), 404)
  }
  const story: Known = {}
  for (const [index, answer] of answers.entries()) {
    const service = pipeline[index] ?? ''
    if ('silent' in answer) story[service] = { silent: answer.silent }
    else if ('unknown' in answer) story[service] = 'does not know the task'
    // What two services tell, a release, is one's who has it.
    else for (const [name, value] of Object.entries(answer.known)) story[name] = value ?? story[name] ?? null
  }
  return story
}

export type Published = { service: string; published: string }

/** Has every service publish a task's events again, from its own rows. One that doesn't answer is named; the others' events reach it later. */
export async function taskReplay(call: Call, { taskId }: { taskId: string }): Promise<Published[]> {
  const answers: Published[] = []
  for (const service of pipeline) answers.push({ service, published: await replayAt(call, service, taskId) })
  if (answers.every(({ published }) => published === unknown)) throw new OpsFault(`No service knows ${taskId}.`)
  return answers
}

const unknown = '(does not know the task)'

async function replayAt(call: Call, service: (typeof pipeline)[number], taskId: string): Promise<string> {
  try {
    const { published } = await callFor(call, PublishedEvents, service, 'POST', `/tasks/${encodeURIComponent(taskId)}/replay`)
    return published.join(', ') || '(nothing)'
  } catch (error) {
    if (!(error instanceof OpsFault)) throw error
    return error.status === 404 ? unknown : `(no answer) ${error.message}`
  }
}

export type Cancel = { taskId: string; reason: string; by: string }

/** Ends a task as its client could: before a submit at once, after it if its provider agrees. Returns what it came to. */
export const taskCancel = (call: Call, { taskId, reason, by }: Cancel): Promise<Json> =>
  callFor(call, CancelledTask, 'gateway', 'POST', `/tasks/${encodeURIComponent(taskId)}/cancel`, { reason, by })

export type Acknowledgement = { id: string; reason: string; by: string }

/** Closes the findings about a task, or about a grant or debit whose id was asked for with other terms. Moves no money. */
export const taskAcknowledge = (call: Call, { id, reason, by }: Acknowledgement) =>
  callFor(call, Acknowledged, 'ledger', 'POST', `/tasks/${encodeURIComponent(id)}/acknowledge`, { reason, by })
