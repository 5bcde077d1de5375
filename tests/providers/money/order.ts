import { openAccount } from '../../support/client/account'
import type { Answer, Api } from '../../support/client/api'
import { ownWords } from '../../support/client/request'
import { run } from '../../support/servers/databases'
import { type Behaviour, simulator } from '../../support/simulator'
import type { Target } from '../matrix/start-providers'

export type Placed = { target: Target; accountId: string; api: Api; prompt: string; posted: Promise<Answer> }

/** One order of an account of its own at a provider that does this; its POST is under way. */
export async function place(target: Target, behaviours: Behaviour[]): Promise<Placed> {
  const { api, accountId } = await openAccount()
  const prompt = ownWords()
  await simulator.behave(prompt, [...behaviours, { name: 'instant' }])
  const posted = api.generate({ ...target.request, prompt })
  // Whoever waits for it hears of it.
  posted.catch(() => {})
  return { target, accountId, api, prompt, posted }
}

/** The task that a POST began, also where its answer is that nobody knows yet. */
export async function taskIdOf({ posted }: Placed): Promise<string> {
  const { status, text, body } = await posted
  const taskId = body.id ?? body.error?.details?.task_id
  if (!taskId) throw new Error(`a POST began no task: ${status} ${text}`)
  return taskId
}

/** The states of the attempts of these accounts. */
export const statesOf = async (placed: Placed[]): Promise<string[]> =>
  (
    await run<{ state: string }>(
      'dispatcher',
      'select state from attempt where account_id in (select jsonb_array_elements_text($1::text::jsonb))',
      [JSON.stringify(placed.map(({ accountId }) => accountId))],
    )
  ).map(({ state }) => state)

/** How many of these orders the ledger has reserved credits for. */
export async function reservedOf(placed: Placed[]): Promise<number> {
  const rows = await run('ledger', 'select 1 from reservation where account_id in (select jsonb_array_elements_text($1::text::jsonb))', [
    JSON.stringify(placed.map(({ accountId }) => accountId)),
  ])
  return rows.length
}

/** Lets ten minutes pass since providers accepted what they have: longer than the visibility bound of any, so that each must show it. */
export const passVisibility = () =>
  run('dispatcher', `update attempt set accepted_at = accepted_at - interval '10 minutes' where accepted_at is not null`)

/** A video of each provider, old enough to be shown: what a provider doesn't know of is believed to be nothing only where it shows another. */
export async function buyShown(targets: Target[]): Promise<void> {
  const placed = await Promise.all(targets.map(target => place(target, [])))
  await Promise.all(placed.map(async one => one.api.taskOnce(await taskIdOf(one))))
  await passVisibility()
}

/** Generations that a provider accepted of an order, and submits that it got for it. */
export async function boughtFor({ prompt }: Pick<Placed, 'prompt'>): Promise<{ jobs: number; submits: number }> {
  const submits = await simulator.submitsWith(prompt)
  return { jobs: new Set(submits.flatMap(one => one.generation_id ?? [])).size, submits: submits.length }
}
