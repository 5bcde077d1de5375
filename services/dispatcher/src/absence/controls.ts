import type { Sql } from '@filmgate/kit/database/postgres'
import type { Log } from '@filmgate/kit/telemetry/log'
import { counter, gauge, late } from '@filmgate/kit/telemetry/metrics'
import { attemptIdAt } from '../attempt/plan-attempts'
import type { Connector, Polled } from '../makers/connector'
import type { Routing } from '../routing/routing'
import { isClosed } from './closing-repository'
import { countRunning, countVanished, findShowable } from './control-repository'

/**
 * Whether a maker that knows nothing of one attempt shows others of ours: `shown`. `hidden`: it shows none. `vanishing`: too many that it
 * accepted are missing at once. `nothing`: there is none that it would have to show. `believed`: an operator says that it can be believed.
 */
export type Control = 'shown' | 'hidden' | 'vanishing' | 'nothing' | 'believed'

/** Whether it says anything about an attempt that its maker doesn't know of it. */
export const counts = (control: Control): control is 'shown' | 'believed' => control === 'shown' || control === 'believed'

export type ControlDeps = {
  sql: Sql
  log: Log
  routing: Pick<Routing, 'connectors'>
  now: () => Date
  absenceSightingsMin: number
  /** More than so many accepted attempts missing at a maker within the window, and more than that share of the running ones, stop refunds. */
  vanishedMax: number
  vanishedPercentMax: number
  vanishedWindowMs: number
}

export type Controls = { ask(connector: Connector, signal: AbortSignal): Promise<Control | undefined> }

type Asked = { atMs: number; control: Promise<Control | undefined> }

/** How many of them a maker is asked for: one wrong id of its own is no proof that it shows nothing. */
const showableMax = 3
/** A maker may have deleted what it ended longer ago. */
const showableAgeMsMax = 6 * 3_600_000
/** An attempt in review is asked about at least this often; a maker that was not asked for so long counts as showing others again. */
const heldMsMax = 180_000

const controls = counter('maker_controls', 'Looks at whether a maker shows others of ours, by what it showed', {
  maker: late,
  result: ['shown', 'hidden', 'vanishing', 'nothing', 'believed', 'unknown'],
})

/** Asks makers for what they must show, once for all attempts that are missing at the same moment. */
export function createControls(deps: ControlDeps): Controls {
  const asked = new Map<string, Asked>()
  const heldAtMs = new Map<string, number>()
  const isHeld = (maker: string) => performance.now() - (heldAtMs.get(maker) ?? Number.NEGATIVE_INFINITY) < heldMsMax
  gauge(
    'maker_absences_held',
    'Whether what a maker doesn’t know of ends nothing, because it shows nothing else or too many are missing',
    () => deps.routing.connectors.map(({ maker }) => ({ value: isHeld(maker) ? 1 : 0, attributes: { maker } })),
  )

  async function judge(connector: Connector, signal: AbortSignal): Promise<Control | undefined> {
    const { maker } = connector
    const control = await look(deps, connector, signal).catch(error => {
      if (!signal.aborted) deps.log.warn({ err: error, maker }, 'whether the maker shows others of ours is not known')
      return undefined
    })
    controls.add(1, { maker, result: control ?? 'unknown' })
    if (control === 'hidden' || control === 'vanishing') {
      if (!isHeld(maker))
        deps.log.error({ maker, control }, 'what this maker doesn’t know of ends nothing until it shows others of ours again')
      heldAtMs.set(maker, performance.now())
    } else if (control !== undefined) heldAtMs.delete(maker)
    return control
  }

  return {
    ask(connector, signal) {
      const before = asked.get(connector.maker)
      const freshMs = connector.capabilities.visibilityMs / deps.absenceSightingsMin / 4
      if (before && performance.now() - before.atMs < freshMs) return before.control
      const control = judge(connector, signal)
      asked.set(connector.maker, { atMs: performance.now(), control })
      return control
    },
  }
}

async function look(deps: ControlDeps, connector: Connector, signal: AbortSignal): Promise<Control | undefined> {
  const { sql, vanishedMax, vanishedPercentMax, vanishedWindowMs } = deps
  const { maker } = connector
  const { visibilityMs } = connector.capabilities
  if (await isClosed(sql, maker)) return 'believed'
  const vanished = await countVanished(sql, maker, vanishedWindowMs)
  if (vanished > vanishedMax && vanished * 100 > vanishedPercentMax * (await countRunning(sql, maker))) return 'vanishing'
  const idFrom = attemptIdAt(new Date(deps.now().getTime() - showableAgeMsMax))
  const showable = await findShowable(sql, { maker, visibilityMs, idFrom, limit: showableMax })
  if (showable.length === 0) return 'nothing'
  const shown = await Promise.all(showable.map(one => isShown(connector, one, signal)))
  if (shown.includes(true)) return 'shown'
  return shown.includes(undefined) ? undefined : 'hidden'
}

/** By the maker's id and, where it can be asked so, by ours, as what is missing was asked for. Undefined where there was no usable answer. */
async function isShown(connector: Connector, one: Polled, signal: AbortSignal): Promise<boolean | undefined> {
  const [polled, found] = await Promise.all([connector.poll([one], signal), connector.lookUp?.(one.attemptId, signal)])
  const [answer] = polled
  if (!answer) return undefined
  return answer.status !== 'missing' && (!connector.lookUp || found !== undefined)
}
