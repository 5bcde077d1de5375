import { commandFor, type StackAddress } from '../instance'
import type { StackStatus } from './control'

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
