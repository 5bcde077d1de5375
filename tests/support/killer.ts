import type { Random } from './random'
import { type Component, move } from './stack'

type Span = { least: number; most: number }
type KillerDeps = {
  /** Who is killed in this turn, from 0. */
  next(turn: number): Component
  random: Random
  pauseMs: Span
  downMs: Span
}

/** Kills one service after another (SIGKILL), each brought back before the next, until told to stop. Resolves to how often each died. */
export function startKiller({ next, random, pauseMs, downMs }: KillerDeps): { stop(): Promise<Record<string, number>> } {
  const kills: Record<string, number> = {}
  const ending = Promise.withResolvers<void>()
  let stopped = false

  async function run(): Promise<void> {
    for (let turn = 0; !stopped; turn++) {
      await Promise.race([Bun.sleep(random.between(pauseMs.least, pauseMs.most)), ending.promise])
      if (stopped) return
      const component = next(turn)
      await move(component, 'kill')
      await Bun.sleep(random.between(downMs.least, downMs.most))
      await move(component, 'start')
      kills[component] = (kills[component] ?? 0) + 1
    }
  }

  const running = run()
  return {
    async stop() {
      stopped = true
      ending.resolve()
      await running
      return kills
    },
  }
}
