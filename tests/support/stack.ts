import { relative } from 'node:path'
import type { DatabaseOwner } from '@filmgate/tools/stack/contents/database-owners'
import { settings } from './settings'

export type Component =
  | 'gateway'
  | 'gateway-2'
  | 'ledger'
  | 'catalog'
  | 'media-probe'
  | 'dispatcher'
  | 'simulator'
  | 'console'
  | 'webhooks'
  | 'postgres'
  | `postgres-${DatabaseOwner}`
  | 'kafka'
  | 'redis'
  | 's3'
  | 'sample-media'
export type Verb = 'kill' | 'start' | 'stop' | 'pause' | 'resume'

/** Moves one process of the local stack: kill is SIGKILL, pause SIGSTOP, stop SIGTERM; start returns when it serves. */
export async function move(component: Component, verb: Verb): Promise<void> {
  const response = await fetch(`http://stack/processes/${component}/${verb}`, {
    unix: relative(process.cwd(), settings.controlSocket),
    method: 'POST',
    signal: AbortSignal.timeout(120_000),
  })
  const { error } = (await response.json()) as { error?: string }
  if (error) throw new Error(`${verb} ${component}: ${error}`)
}

/** The process of a component as it runs now. */
export async function pidOf(component: Component): Promise<number> {
  const response = await fetch('http://stack/status', { unix: relative(process.cwd(), settings.controlSocket) })
  const { processes } = (await response.json()) as { processes: { name: string; pid: number | null }[] }
  const pid = processes.find(({ name }) => name === component)?.pid
  if (!pid) throw new Error(`${component} is not running`)
  return pid
}

/** Runs `work` while the component is paused or stopped, and brings it back whatever happens. */
export async function without<T>(component: Component, verb: 'pause' | 'stop', work: () => Promise<T>): Promise<T> {
  await move(component, verb)
  try {
    return await work()
  } finally {
    await move(component, verb === 'pause' ? 'resume' : 'start')
  }
}
