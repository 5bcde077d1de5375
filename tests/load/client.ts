import type { Account } from '../support/client/account'
import type { Body } from '../support/client/api'
import { smallRequest } from '../support/client/request'
import { generateStubbornly, taskEnd } from '../support/client/stubborn-client'

const timeoutMs = 300_000

export type Bought = { account: Account; prompt: string; task: Body; tookMs: number }

/** Buys one video after another with three at a time, as the limit allows, doing what the contract tells a client to do when an answer fails. */
export async function buyVideos(account: Account, prompts: string[]): Promise<Bought[]> {
  const waiting = [...prompts]
  const bought: Bought[] = []
  async function buyer(): Promise<void> {
    for (let prompt = waiting.shift(); prompt !== undefined; prompt = waiting.shift()) {
      const startedAt = performance.now()
      const id = await generateStubbornly(account.api, smallRequest({ prompt }), { timeoutMs })
      const task = await taskEnd(account.api, id, timeoutMs)
      bought.push({ account, prompt, task, tookMs: performance.now() - startedAt })
    }
  }
  await Promise.all([buyer(), buyer(), buyer()])
  return bought
}
