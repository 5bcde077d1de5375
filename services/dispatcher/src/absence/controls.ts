import type { Sql } from '@filmgate/kit/database/postgres'
import type { Log } from '@filmgate/kit/telemetry/log'
import { counter, gauge, late } from '@filmgate/kit/telemetry/metrics'
import type { Connector, Polled } from '../providers/connector'
import type { Routing } from '../routing/routing'
import { isClosed } from './closing-repository'
import { countRunning, countVanished, findShowable, type Showable } from './control-repository'

/**
 * Whether a provider that knows nothing of one attempt shows others of ours: `shown`. `behind`: not the newest that it must show, only older ones, as a
 * replica that stands still does. `hidden`: it shows none. `refused`: it says that our key is none of its keys. `vanishing`: too many that it accepted
 * are missing at once. `nothing`: there is none that it would have to show. `believed`: an operator says that it can be believed.
 */
export const controls = ['shown', 'behind', 'hidden', 'refused', 'vanishing', 'nothing', 'believed'] as const
export type Control = (typeof controls)[number]

/** `newestShown`: when the newest attempt was made that a provider which is behind shows. */
export type Seen = { control: Control; newestShown?: Date }

/** Whether it says anything about attempts at large that their provider doesn't know of them. */
export const counts = (control: Control): boolean => control === 'shown' || control === 'believed'

/** Whether it says anything about this one. A provider that is behind shows what it had when it stopped: what was submitted before its newest would be there. */
export const countsFor = ({ control, newestShown }: Seen, createdAt: Date): boolean =>
  counts(control) || (newestShown !== undefined && createdAt < newestShown)

export type ControlDeps = {
  sql: Sql
  log: Log
  routing: Pick<Routing, 'connectors'>
  absenceSightingsMin: number
  /** More than so many accepted attempts missing at a provider within the window, and more than that share of the running ones, stop refunds. */
  vanishedMax: number
  vanishedPercentMax: number
  vanishedWindowMs: number
}

export type Controls = { ask(connector: Connector, signal: AbortSignal): Promise<Seen | undefined> }

type Asked = { atMs: number; seen: Promise<Seen | undefined> }

/** How many of them a provider is asked for: one wrong id of its own is no proof that it shows nothing. */
const showableMax = 3
/** A provider may have deleted what it ended longer ago. */
const showableAgeMsMax = 6 * 3_600_000
/** An attempt in review is asked about at least this often; a provider that was not asked for so long counts as showing others again. */
const heldMsMax = 180_000

const looks = counter('provider_controls', 'Looks at whether a provider shows others of ours, by what it showed', {
  provider: late,
  result: [...controls, 'unknown'],
})
/** Nothing ends for being missing at such a provider, and somebody should hear of it. */
const held: ReadonlySet<Control | undefined> = new Set<Control>(['behind', 'hidden', 'refused', 'vanishing'])

/** Asks providers for what they must show, once for all attempts that are missing at the same moment. */
export function createControls(deps: ControlDeps): Controls {
  const asked = new Map<string, Asked>()
  const heldAtMs = new Map<string, number>()
  const isHeld = (provider: string) => performance.now() - (heldAtMs.get(provider) ?? Number.NEGATIVE_INFINITY) < heldMsMax
  gauge(
    'provider_absences_held',
    'Whether what a provider doesn’t know of ends nothing, because it shows nothing else or too many are missing',
    () => deps.routing.connectors.map(({ provider }) => ({ value: isHeld(provider) ? 1 : 0, attributes: { provider } })),
  )

  async function judge(connector: Connector, signal: AbortSignal): Promise<Seen | undefined> {
    const { provider } = connector
    const seen =
      (await look(deps, connector, signal).catch(error => unseen(provider, error, signal))) ?? (await lookAtKey(connector, signal))
    const control = seen?.control
    looks.add(1, { provider, result: control ?? 'unknown' })
    if (held.has(control)) {
      if (!isHeld(provider))
        deps.log.error({ provider, control }, 'what this provider doesn’t know of ends nothing until it shows others of ours again')
      heldAtMs.set(provider, performance.now())
    } else if (control !== undefined) heldAtMs.delete(provider)
    return seen
  }

  function unseen(provider: string, error: unknown, signal: AbortSignal): undefined {
    if (!signal.aborted) deps.log.warn({ err: error, provider }, 'whether the provider shows others of ours is not known')
  }

  return {
    ask(connector, signal) {
      const before = asked.get(connector.provider)
      const freshMs = connector.capabilities.visibilityMs / deps.absenceSightingsMin / 4
      if (before && performance.now() - before.atMs < freshMs) return before.seen
      const seen = judge(connector, signal)
      asked.set(connector.provider, { atMs: performance.now(), seen })
      return seen
    },
  }
}

async function look(deps: ControlDeps, connector: Connector, signal: AbortSignal): Promise<Seen | undefined> {
  const { sql, vanishedMax, vanishedPercentMax, vanishedWindowMs } = deps
  const { provider } = connector
  const { visibilityMs, resultExpiryMs = showableAgeMsMax } = connector.capabilities
  if (await isClosed(sql, provider)) return { control: 'believed' }
  const vanished = await countVanished(sql, provider, vanishedWindowMs)
  if (vanished > vanishedMax && vanished * 100 > vanishedPercentMax * (await countRunning(sql, provider))) return { control: 'vanishing' }
  const ageMs = Math.min(showableAgeMsMax, resultExpiryMs)
  const showable = await findShowable(sql, { provider, visibilityMs, ageMs, byOwnId: provesAbsence(connector), limit: showableMax })
  if (showable.length === 0) return { control: 'nothing' }
  return judgeShown(showable, await Promise.all(showable.map(one => isShown(connector, one, signal))))
}

/** By the newest first; an answer that isn't usable says nothing of its attempt. */
export function judgeShown(showable: Pick<Showable, 'createdAt'>[], shown: (boolean | undefined)[]): Seen | undefined {
  const newest = shown.indexOf(true)
  if (newest < 0) return shown.includes(undefined) ? undefined : { control: 'hidden' }
  if (!shown.slice(0, newest).includes(false)) return { control: 'shown' }
  return { control: 'behind', newestShown: showable[newest]?.createdAt }
}

/** Whether that a provider doesn't find our own id says that it has nothing under it. */
export const provesAbsence = ({ capabilities }: Pick<Connector, 'capabilities'>): boolean => capabilities.lookUp === 'own-id'

/** By the provider's id, and by ours where it must find that, as what is missing was asked for. Undefined where there was no usable answer. */
async function isShown(connector: Connector, one: Polled, signal: AbortSignal): Promise<boolean | undefined> {
  const byOwnId = provesAbsence(connector)
  const [polled, found] = await Promise.all([
    connector.poll([one], signal),
    byOwnId ? connector.lookUp?.(one.attemptId, signal) : undefined,
  ])
  const [answer] = polled
  if (!answer) return undefined
  return answer.status !== 'missing' && (!byOwnId || found !== undefined)
}

/** No answer at all is what a provider gives that doesn't take our key. */
async function lookAtKey(connector: Connector, signal: AbortSignal): Promise<Seen | undefined> {
  const key = await connector.checkKey(signal).catch(() => 'unknown' as const)
  return key === 'refused' ? { control: 'refused' } : undefined
}
