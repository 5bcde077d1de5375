import { type Component, move } from '../support/stack'
import type { Random } from './random'

const components: Component[] = ['gateway', 'ledger', 'dispatcher', 'catalog', 'simulator']
const pauseMs = { least: 4_000, most: 10_000 }
const downMs = { least: 0, most: 2_000 }

/** Kills one service after another, each brought back before the next, until told to stop. Resolves to how often each died. */
export function startKiller(random: Random): { stop(): Promise<Record<string, number>> } {
  const kills: Record<string, number> = {}
  const ending = Promise.withResolvers<void>()
  let stopped = false

  async function run(): Promise<void> {
    while (!stopped) {
      await Promise.race([Bun.sleep(random.between(pauseMs.least, pauseMs.most)), ending.promise])
      if (stopped) return
      const component = random.oneOf(components)
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
