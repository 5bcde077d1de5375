import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, join } from 'node:path'
import { externalVariables } from '../stack/addresses'
import { firstAccount } from '../stack/contents/first-account'
import { explain } from '../stack/fault'
import { type Instance, openInstance } from '../stack/instance'
import { portOpen } from '../stack/process/probe'
import { type Raised, raiseStack } from '../stack/raise'
import { bunTest } from './bun/bun-test'
import { addOutcome, type Outcome } from './bun/outcome'
import type { TestProgress } from './bun/test-progress'
import { serverEnv, wireEnv } from './environment'
import type { TestPlan } from './plan'

/** Files at once: most of their time is waiting for servers. Over the wire all services work too. */
const filesAtOnce = { packages: 2 * availableParallelism() + 1, wire: availableParallelism() }
const faultStacksMax = Math.min(4, availableParallelism())
/** Memory that a stack and its tests take, services included. */
const stackBytes = 3 * 2 ** 30
/** A stack opens ports within this of its first. */
const portsOfStack = 40

export interface LaneOptions {
  plan: TestPlan
  portBase: number
  /** The environment of tests of packages: without the settings of the services. */
  plainEnv: Record<string, string | undefined>
  progress: TestProgress
}

interface Lane {
  instance: Instance
  only: 'servers' | 'all'
  work: (raised: Raised, label: string) => Promise<void>
}

/**
 * Runs every file of the plan: packages and then the wire on one stack, and beside it the faults, one file at a time on each of some
 * stacks, which go on with what is left of the wire. Fills `outcome` as files end, and returns whether all lanes came to their end.
 */
export async function runLanes(options: LaneOptions, outcome: Outcome): Promise<boolean> {
  const lanes = lanesOf(options, outcome)
  const sideBySide = !usesExternalServers() && stacksThatFit() >= lanes.length
  const ended: boolean[] = []
  // A stack that can't be raised must not end the others' work, nor hide what they found.
  const runLane = async (lane: Lane) => {
    const raised = raiseLane(lane, lanes.length > 1).catch((error: unknown) => {
      outcome.failures.push(`${lane.instance.name}: ${explain(error)}`)
      return false
    })
    ended.push(await raised)
  }
  if (sideBySide) await Promise.all(lanes.map(runLane))
  else for (const lane of lanes) await runLane(lane)
  const left = (await Promise.all(lanes.map(openPorts))).flat()
  outcome.failed += left.length
  outcome.failures.push(...left.map(port => `left behind: something still listens on ${port}`))
  return ended.every(Boolean)
}

/** Servers of the user's own, which stacks side by side would share. */
const usesExternalServers = (): boolean => Object.values(externalVariables).some(name => process.env[name])

/** How many stacks the memory that is free now has room for. */
function stacksThatFit(): number {
  const [, kibibytes] = /^MemAvailable: +(\d+)/m.exec(readFileSync('/proc/meminfo', 'utf8')) ?? []
  return Math.floor((Number(kibibytes) * 1024) / stackBytes)
}

function lanesOf({ plan, portBase, plainEnv, progress }: LaneOptions, outcome: Outcome): Lane[] {
  const faults = [...plan.faults]
  const wire = [...plan.wire]

  /** Runs files one by one against the services of a stack, as long as `next` has any. */
  async function runEach(instance: Instance, { supervisor, signal }: Raised, label: string, next: () => string | undefined) {
    const env = { ...process.env, ...wireEnv(instance, supervisor.addresses) }
    for (let file = next(); file && !signal.aborted; file = next()) {
      const reportFile = join(instance.dir, `${basename(file, '.test.ts')}.xml`)
      addOutcome(outcome, await bunTest({ paths: [file], env, signal, retries: 1, show: progress.lane(label), reportFile }))
    }
  }

  const first = openInstance('test', portBase)
  const firstLane: Lane = {
    instance: first,
    only: 'servers',
    async work(raised, label) {
      const { supervisor, signal } = raised
      if (plan.packages.length) {
        const env = { ...plainEnv, ...serverEnv(supervisor.addresses) }
        const run = { signal, retries: 1, show: progress.lane(label), reportFile: join(first.dir, 'packages.xml') }
        addOutcome(outcome, await bunTest({ ...run, paths: plan.packages, env, workers: filesAtOnce.packages }))
      }
      if (!wire.length || signal.aborted) return
      await supervisor.startServices()
      await firstAccount(first, supervisor.addresses)
      await Promise.all(Array.from({ length: filesAtOnce.wire }, () => runEach(first, raised, label, () => wire.shift())))
    },
  }
  const faultLane = (index: number): Lane => {
    const instance = openInstance(`test-faults-${index + 1}`, portBase + portsOfStack * (index + 1))
    return {
      instance,
      only: 'all',
      async work(raised, label) {
        await firstAccount(instance, raised.supervisor.addresses)
        await runEach(instance, raised, label, () => faults.shift() ?? wire.shift())
      },
    }
  }
  const faultStacks = Math.min(faults.length, faultStacksMax, Math.max(1, stacksThatFit() - 1))
  const needsFirst = plan.packages.length + plan.wire.length > 0
  return [...(needsFirst ? [firstLane] : []), ...Array.from({ length: faultStacks }, (_, index) => faultLane(index))]
}

async function raiseLane({ instance, only, work }: Lane, named: boolean): Promise<boolean> {
  const label = named ? `${instance.name.padEnd(13)} ` : ''
  let finished = false
  await raiseStack(instance, {
    only,
    fresh: true,
    gateways: 2,
    label,
    work: async raised => {
      await work(raised, label)
      finished = !raised.signal.aborted
      return 0
    },
  })
  return finished
}

async function openPorts({ instance: { ports } }: Lane): Promise<number[]> {
  const open = await Promise.all(Object.values(ports).map(async port => ((await portOpen(port)) ? [port] : [])))
  return open.flat()
}
