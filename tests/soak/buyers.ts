import type { Account } from '../support/client/account'
import type { Answer } from '../support/client/api'
import { smallRequest } from '../support/client/request'

/** With a video made within two seconds these are two polls: with the balance, every fourth request is a generation. */
const pollEveryMs = 1_000
const endsWithinMs = 300_000

export type Bought = { posts: number; polls: number; completed: number; unexpected: string[] }

/** Clients that do what the contract tells them and count what they get. An answer that OpenAPI doesn't describe is unexpected too. */
export function createBuyers(accounts: Account[]) {
  const bought: Bought = { posts: 0, polls: 0, completed: 0, unexpected: [] }
  const waiting = new Set<Promise<void>>()
  const expect = ({ status, text }: Answer, wanted: number): boolean => {
    if (status !== wanted) bought.unexpected.push(`${status} ${text.slice(0, 300)}`)
    return status === wanted
  }

  async function buyOne(): Promise<void> {
    bought.posts += 1
    const account = accounts[bought.posts % accounts.length]
    if (!account) return
    if (!expect(await account.api.get('/credits'), 200)) return
    const posted = await account.api.generate(smallRequest())
    if (!expect(posted, 202)) return
    const deadline = Date.now() + endsWithinMs
    while (Date.now() < deadline) {
      await Bun.sleep(pollEveryMs)
      bought.polls += 1
      const task = await account.api.task(posted.body.id)
      if (!expect(task, 200)) return
      if (task.body.status === 'processing') continue
      const url = task.body.output?.video_url
      if (url && (await fetch(url, { method: 'HEAD', keepalive: false })).ok) bought.completed += 1
      else bought.unexpected.push(task.text.slice(0, 300))
      return
    }
    bought.unexpected.push(`${posted.body.id} is unfinished after ${endsWithinMs / 1_000} s`)
  }

  const buy = () => buyOne().catch((error: unknown) => void bought.unexpected.push(String(error).slice(0, 300)))

  return {
    bought,
    /** This many at a time, one after another: how many are completed a second. */
    async fullSpeed(atATime: number, seconds: number): Promise<number> {
      const before = bought.completed
      const startedMs = performance.now()
      const until = startedMs + seconds * 1_000
      const buyer = async () => {
        while (performance.now() < until) await buy()
      }
      await Promise.all(Array.from({ length: atATime }, buyer))
      return ((bought.completed - before) * 1_000) / (performance.now() - startedMs)
    },
    /** One every `1 / perSecond` seconds, however long each takes. Returns when the last has been bought, and not yet completed. */
    async steadily(perSecond: number, seconds: number): Promise<void> {
      const startedMs = performance.now()
      for (let index = 0; index < perSecond * seconds; index += 1) {
        await Bun.sleep(Math.max(0, startedMs + (index * 1_000) / perSecond - performance.now()))
        const one = buy().then(() => void waiting.delete(one))
        waiting.add(one)
      }
    },
    ended: () => Promise.all(waiting),
  }
}
