import { askService, type Known } from '../ask-service'
import { OpsFault } from '../fault'
import type { Call, Json } from '../operator-api'

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
