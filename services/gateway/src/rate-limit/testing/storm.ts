import { pause } from '@filmgate/kit/deadline'
import type { TokenAnswer } from '../token'
import { nowMs } from './clock'
import type { Decision } from './judge'
import type { Replica } from './replica'

/** Asks for one token, and keeps what came of it. */
export async function arrive(replicas: Replica[], replica: number, key: string, into: Decision[]): Promise<TokenAnswer | undefined> {
  const well = () => replicas.every(({ kind }) => kind() === 'redis')
  const wellBefore = well()
  const answered = await replicas[replica]?.takeToken(key)
  if (!answered) return undefined
  const { sentMs, atMs, answer } = answered
  into.push({ key, replica, sentMs, atMs, came: answer ? (answer.taken ? 'taken' : 'refused') : 'undecided', well: wellBefore && well() })
  return answer
}

export type Obedience = { kept: number; broken: number; brokenByAFault: number }

/** A client that asks until it is refused, then waits as long as it was told and asks again: that one has to be let through. */
export async function obey(
  replicas: Replica[],
  { key, random, running, everyMs }: { key: string; random(): number; running(): boolean; everyMs: number },
  into: Decision[],
  faults: number[],
): Promise<Obedience> {
  const sum: Obedience = { kept: 0, broken: 0, brokenByAFault: 0 }
  const ask = () => arrive(replicas, Math.floor(random() * replicas.length), key, into)
  while (running()) {
    const answer = await ask()
    if (answer && !answer.taken) {
      const toldAtMs = nowMs()
      const untilMs = toldAtMs + Math.ceil(answer.waitMs)
      while (running() && nowMs() < untilMs) await pause(Math.max(1, Math.min(200, untilMs - nowMs())))
      if (!running()) break
      const again = await ask()
      const fault = faults.some(at => at > toldAtMs - 5_000 && at < nowMs())
      if (again?.taken) sum.kept += 1
      else if (!again || fault) sum.brokenByAFault += 1
      else sum.broken += 1
    }
    await pause(everyMs * 2 * random())
  }
  return sum
}
