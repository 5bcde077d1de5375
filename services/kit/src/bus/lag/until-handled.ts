import { pause } from '../../deadline'
import type { KafkaAccess } from '../open-kafka'
import { withKafka } from '../with-kafka'
import { type Followed, type Lag, measureLag } from './measure-lag'

export type UntilHandled = { timeoutMs: number; everyMs?: number; progress?(left: number): void }

/**
 * Waits until these groups have handled what their topics hold at the call; what comes meanwhile does not count. Returns how many messages
 * were left at `timeoutMs`: 0 where all were handled.
 */
export const untilHandled = (
  access: KafkaAccess,
  followed: Followed[],
  { timeoutMs, everyMs = 500, progress }: UntilHandled,
): Promise<number> =>
  withKafka(access, async (_, admin) => {
    const deadline = performance.now() + timeoutMs
    const measure = async (): Promise<Lag[]> => {
      const { rows, faults } = await measureLag(admin, followed)
      if (faults.length > 0) throw faults[0]
      return rows
    }
    const nameOf = ({ group, topic, partition }: Lag) => `${group} ${topic} ${partition}`
    const ends = new Map((await measure()).map(row => [nameOf(row), row.offset + row.lag]))
    for (;;) {
      const left = (await measure()).reduce((sum, row) => sum + Math.max(0, (ends.get(nameOf(row)) ?? 0) - row.offset), 0)
      if (left === 0 || performance.now() > deadline) return left
      progress?.(left)
      await pause(everyMs)
    }
  })
