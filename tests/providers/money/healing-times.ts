import { run } from '../../support/servers/databases'

/** When each task was told to be uncertain for the first time, and when it was found, or proved to be nowhere. */
export type Healing = { unknownAtMs?: number; healedAtMs?: number }

/** By what the gateway has heard of them. */
export async function healingsOf(taskIds: string[]): Promise<Map<string, Healing>> {
  const healings = new Map(taskIds.map((id): [string, Healing] => [id, {}]))
  const rows = await run<{ task_id: string; kind: string; at: Date }>(
    'gateway',
    `select task_id, kind, min(at) as at from task_event
     where kind in ('generationUncertain', 'generationAccepted', 'generationRefused') group by task_id, kind`,
  )
  for (const { task_id, kind, at } of rows) {
    const healing = healings.get(task_id)
    if (!healing) continue
    if (kind === 'generationUncertain') healing.unknownAtMs = at.getTime()
    else healing.healedAtMs = Math.min(at.getTime(), healing.healedAtMs ?? at.getTime())
  }
  return healings
}

/** The `share`-th of these numbers, such as 0.99. */
export const quantile = (values: number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? 0
