import type { Filmgate, Model } from '@filmgate/client'
import type { Budget } from './spend/budget.ts'

/** What all tools of one caller share. */
export type Session = {
  filmgate: Filmgate
  /** Undefined: no video may be made. */
  budget: Budget | undefined
  videoCreditsMax: number | undefined
  saveTo: string | undefined
  models(): Promise<Model[]>
  /** Runs work under one key one after another, so that a retry meets what the first call came to. */
  inTurn<T>(key: string, work: () => Promise<T>): Promise<T>
}

const modelsKeptMs = 5 * 60_000

export function createSession(given: Omit<Session, 'models' | 'inTurn'>): Session {
  const turns = new Map<string, Promise<unknown>>()
  let listed: Promise<Model[]> | undefined
  let listedAt = 0
  return {
    ...given,
    models() {
      if (listed && Date.now() - listedAt < modelsKeptMs) return listed
      listedAt = Date.now()
      const list = given.filmgate.models.list().then(({ data }) => data)
      listed = list
      list.catch(() => {
        if (listed === list) listed = undefined
      })
      return list
    },
    async inTurn(key, work) {
      const before = turns.get(key) ?? Promise.resolve()
      const turn = before.then(work, work)
      turns.set(key, turn)
      try {
        return await turn
      } finally {
        if (turns.get(key) === turn) turns.delete(key)
      }
    },
  }
}
