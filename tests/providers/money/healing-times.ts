import { timestampMs } from '@bufbuild/protobuf/wkt'
import { decode, topics } from '@filmgate/proto/topics'
import { run } from '../../support/servers/databases'
import { topicName } from '../../support/servers/topic-records'

/** When each task was told to be uncertain for the first time, and when it was found, or proved to be nowhere. */
export type Healing = { unknownAtMs?: number; healedAtMs?: number }

/** By what the dispatchers have told of them. */
export async function healingsOf(taskIds: string[]): Promise<Map<string, Healing>> {
  const healings = new Map(taskIds.map((id): [string, Healing] => [id, {}]))
  const rows = await run<{ value: Uint8Array }>(
    'dispatcher',
    'select value from outbox_published where topic = $1 union all select value from outbox where topic = $1',
    [topicName('generations')],
  )
  for (const { value } of rows) {
    const { event } = decode(topics.generations.schema, value)
    const healing = event.value && healings.get(event.value.taskId)
    if (!healing || !event.value?.at) continue
    const atMs = timestampMs(event.value.at)
    if (event.case === 'generationUncertain') healing.unknownAtMs = Math.min(atMs, healing.unknownAtMs ?? atMs)
    if (event.case === 'generationAccepted' || event.case === 'generationRefused')
      healing.healedAtMs = Math.min(atMs, healing.healedAtMs ?? atMs)
  }
  return healings
}

/** The `share`-th of these numbers, such as 0.99. */
export const quantile = (values: number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? 0
