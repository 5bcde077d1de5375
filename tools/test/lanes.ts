import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, join } from 'node:path'
import { externalVariables } from '../stack/addresses'
import { firstAccount } from '../stack/contents/first-account'
import { explain } from '../stack/fault'
import { type Instance, openInstance } from '../stack/instance'
import { portOpen } from '../stack/process/probe'
import { type RunningStack, runStack } from '../stack/run-stack'
import { bunTest } from './bun/bun-test'
import { addOutcome, type Outcome } from './bun/outcome'
import type { TestProgress } from './bun/test-progress'
import { serverEnv, wireEnv } from './environment'
import type { TestPlan } from './plan'

/** Concurrent files. Many wait for times to pass: with one less this lane outlasts the stacks by minutes, the processors half idle. */
const packagesAtOnce = availableParallelism() + 2
/** Maximum number of stacks with all services. */
const stacksMax = Math.min(4, availableParallelism())
/** With fewer files, another stack costs more time than it saves. */
const filesOfStack = 4
/** Memory of a stack with services and tests. */
const stackBytes = 3 * 2 ** 30
/** Ports reserved for a stack. */
const portsOfStack = 40

export interface LaneOptions {
  plan: TestPlan
  portBase: number
  /** The environment of package tests, without services' settings. */
  plainEnv: Record<string, string | undefined>
  progress: TestProgress
}

interface Lane {
  instance: Instance
  only: 'servers' | 'all'
  work: (raised: RunningStack, label: string) => Promise<void>
}

/**
 * Runs the plan: packages on one stack's servers; HTTP tests, then fault tests on stacks with services, a file at a
 * time each. Faults come last because they leave work behind. Fills `outcome`; returns whether all lanes finished.
 */
export async function runLanes(options: LaneOptions, outcome: Outcome): Promise<boolean> {
  const lanes = lanesOf(options, outcome)
  const sideBySide = !usesExternalServers() && stacksThatFit() >= lanes.length
  const ended: boolean[] = []
  // A stack that fails to start must not end the other lanes or hide their results.
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

/** Stacks would share external servers. */
const usesExternalServers = (): boolean => Object.values(externalVariables).some(name => process.env[name])

/** The number of stacks that fit into free memory. */
function stacksThatFit(): number {
  const [, kibibytes] = /^MemAvailable: +(\d+)/m.exec(readFileSync('/proc/meminfo', 'utf8')) ?? []
  return Math.floor((Number(kibibytes) * 1024) / stackBytes)
}

function lanesOf({ plan, portBase, plainEnv, progress }: LaneOptions, outcome: Outcome): Lane[] {
  const waiting = [...plan.wire, ...plan.faults]

  const packages: Lane = {
    instance: openInstance('test', portBase),
    only: 'servers',
    async work({ supervisor, signal }, label) {
      const env = { ...plainEnv, ...serverEnv(supervisor.addresses) }
      const reportFile = join(supervisor.instance.dir, 'packages.xml')
      const run = { signal, retry: true, show: progress.lane(label), reportFile }
      addOutcome(outcome, await bunTest({ ...run, paths: plan.packages, env, workers: packagesAtOnce }))
    },
  }
  const stack = (number: number): Lane => {
    const instance = openInstance(`test-stack-${number}`, portBase + portsOfStack * number)
    return {
      instance,
      only: 'all',
      async work({ supervisor, signal }, label) {
        await firstAccount(instance, supervisor.addresses)
        const run = { signal, retry: true, show: progress.lane(label), env: { ...process.env, ...wireEnv(instance, supervisor.addresses) } }
        for (let file = waiting.shift(); file && !signal.aborted; file = waiting.shift()) {
          const reportFile = join(instance.dir, `${basename(file, '.test.ts')}.xml`)
          addOutcome(outcome, await bunTest({ ...run, paths: [file], reportFile }))
        }
      },
    }
  }
  const stacks = Math.min(Math.ceil(waiting.length / filesOfStack), stacksMax, Math.max(1, stacksThatFit() - 1))
  return [...(plan.packages.length ? [packages] : []), ...Array.from({ length: stacks }, (_, index) => stack(index + 1))]
}

async function raiseLane({ instance, only, work }: Lane, named: boolean): Promise<boolean> {
  const label = named ? `${instance.name.padEnd(13)} ` : ''
  let finished = false
  await runStack(instance, {
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
