import { rmSync } from 'node:fs'
import { explain } from '../fault'
import { commandFor, localUserEmail, type StackAddress } from '../instance'
import { portsFrom } from '../ports'
import type { ProcessStatus } from '../process/process'
import { consoleUrl } from '../services'
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

/** The control socket of a running stack: other commands read its state and control its processes. */
export function serveControl(supervisor: Supervisor, { isReady, end }: { isReady: () => boolean; end: () => void }) {
  const { instance } = supervisor
  rmSync(instance.controlSocket, { force: true })
  const server = Bun.serve({
    unix: instance.controlSocket,
    // Stopping a part may take long. Unix sockets ignore timeouts per request, and the types lack this option.
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

/** The state of the instance's stack; undefined if none runs. */
export async function fetchStatus(address: StackAddress): Promise<StackStatus | undefined> {
  try {
    return (await (await callControl(address, '/status', 'GET')).json()) as StackStatus
  } catch {
    return undefined
  }
}

/** Sessions end after 30 idle minutes, and the link that `start` printed works once. */
const signInHint = (address: StackAddress, { portBase }: StackStatus): string =>
  `  ${consoleUrl({ ports: portsFrom(portBase) })}: \`${commandFor(address, 'bun run ops operator link')}\` makes a link that signs in ${localUserEmail}`

export const callControl = ({ controlSocket }: StackAddress, path: string, method: 'GET' | 'POST'): Promise<Response> =>
  fetch(`http://stack${path}`, { unix: controlSocket, method })

/** Prints the status. Returns 0 if the stack runs, else 3 (as `systemctl status`). */
export function printStatus(address: StackAddress, status: StackStatus | undefined, json: boolean): number {
  if (json) console.log(JSON.stringify(status ?? { ready: false, processes: [] }))
  else if (!status)
    console.log(
      `No stack "${address.name}" runs. Start it with \`${commandFor(address, 'bun run stack up')}\`, or \`${commandFor(address, 'bun start')}\` to stay in the foreground.`,
    )
  else {
    console.log(`stack "${status.instance}": ${status.ready ? 'ready' : 'starting'}, process ${status.pid}`)
    if (status.ready && status.processes.some(({ name }) => name === 'console')) console.log(signInHint(address, status))
    for (const { name, state, port, pid, restarts } of status.processes) {
      console.log(`  ${name.padEnd(12)} ${state.padEnd(9)} port ${port}  pid ${pid ?? '-'}${restarts ? `  restarted ${restarts}×` : ''}`)
    }
  }
  return status ? 0 : 3
}
