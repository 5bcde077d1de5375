import { rmSync } from 'node:fs'
import { explain } from '../fault'
import { commandFor, type StackAddress } from '../instance'
import type { ProcessStatus } from '../process/process'
import type { Supervisor } from '../supervisor'

export const processVerbs = ['start', 'stop', 'restart', 'kill', 'pause', 'resume'] as const
export type ProcessVerb = (typeof processVerbs)[number]

export interface StackStatus {
  instance: string
  pid: number
  portBase: number
  ready: boolean
  processes: ProcessStatus[]
}

/** The running stack's ear: a socket in its own folder, by which other commands ask for its state or move one process. */
export function serveControl(supervisor: Supervisor, { isReady, end }: { isReady: () => boolean; end: () => void }) {
  const { instance } = supervisor
  rmSync(instance.controlSocket, { force: true })
  const server = Bun.serve({
    unix: instance.controlSocket,
    // A part may take its whole stop timeout. On a unix socket a request's own timeout is not heard, and the types don't know this one.
    ...({ idleTimeout: 0 } as object),
    routes: {
      '/status': () => Response.json(statusOf(supervisor, isReady())),
      '/down': {
        POST: () => {
          end()
          return Response.json({})
        },
      },
      '/processes/:name/:verb': {
        POST: request => controlProcess(supervisor, request.params.name, request.params.verb as ProcessVerb),
      },
    },
  })
  return {
    stop: async () => {
      await server.stop(true)
      rmSync(instance.controlSocket, { force: true })
    },
  }
}

const statusOf = ({ instance, status }: Supervisor, ready: boolean): StackStatus => ({
  instance: instance.name,
  pid: process.pid,
  portBase: instance.portBase,
  ready,
  processes: status(),
})

async function controlProcess(supervisor: Supervisor, name: string, verb: ProcessVerb): Promise<Response> {
  try {
    const found = supervisor.find(name)
    await found[verb]()
    return Response.json(found.status())
  } catch (error) {
    return Response.json({ error: explain(error) }, { status: 409 })
  }
}

/** The state of the instance's stack, or undefined when none runs. */
export async function fetchStatus(address: StackAddress): Promise<StackStatus | undefined> {
  try {
    return (await (await callControl(address, '/status', 'GET')).json()) as StackStatus
  } catch {
    return undefined
  }
}

export const callControl = ({ controlSocket }: StackAddress, path: string, method: 'GET' | 'POST'): Promise<Response> =>
  fetch(`http://stack${path}`, { unix: controlSocket, method })

/** Prints what runs; 0 when the stack is ready, 3 when it isn't there (as `systemctl status` does). */
export function printStatus(address: StackAddress, status: StackStatus | undefined, json: boolean): number {
  if (json) console.log(JSON.stringify(status ?? { ready: false, processes: [] }))
  else if (!status)
    console.log(
      `No stack "${address.name}" runs. Start it with \`${commandFor(address, 'bun run stack up')}\`, or \`${commandFor(address, 'bun start')}\` to stay in the foreground.`,
    )
  else {
    console.log(`stack "${status.instance}": ${status.ready ? 'ready' : 'starting'}, process ${status.pid}`)
    for (const { name, state, port, pid, restarts } of status.processes) {
      console.log(`  ${name.padEnd(12)} ${state.padEnd(9)} port ${port}  pid ${pid ?? '-'}${restarts ? `  restarted ${restarts}×` : ''}`)
    }
  }
  return status ? 0 : 3
}
