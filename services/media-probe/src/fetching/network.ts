import { connect } from 'node:net'
import { pause } from '@filmgate/kit/deadline'
import type { Endpoint } from '@filmgate/kit/safe-fetch/endpoint'
import { type FetchPolicy, fetchLimits } from '@filmgate/kit/safe-fetch/fetch-policy'
import { namesResolve } from '@filmgate/kit/safe-fetch/open-resolver'

/** Whether DNS, or our way out, has worked ever since `beganMs` (by `performance.now()`), and does now. */
export type Control = (beganMs: number) => Promise<boolean>

/** Distinguishes a fault of our own network from one of a client's host. No client can influence either look. */
export type Network = { dns: Control; egress: Control }

export const createNetwork = (nameServers: FetchPolicy['nameServers'], egressControls: readonly Endpoint[]): Network => ({
  dns: createControl(() => namesResolve(nameServers ? { nameServers } : {}, fetchLimits.dnsTimeoutMs)),
  egress: createControl(() => anyConnects(egressControls)),
})

/** However many hosts fail, no server is asked more often than this. */
const lookSpacingMs = 1_000

/**
 * Everybody who asks gets a look that begins after the question; those who ask meanwhile share it. A look that failed after `beganMs` counts
 * even where this one succeeds: what began before our network came back is not the host's fault.
 */
export function createControl(look: () => Promise<boolean>): Control {
  let next: Promise<boolean> | undefined
  let lookedMs = Number.NEGATIVE_INFINITY
  let failedMs = Number.NEGATIVE_INFINITY

  async function lookInTurn(): Promise<boolean> {
    await pause(Math.max(0, lookedMs + lookSpacingMs - performance.now()))
    next = undefined
    lookedMs = performance.now()
    const holds = await look()
    if (!holds) failedMs = performance.now()
    return holds
  }

  return async beganMs => {
    next ??= lookInTurn()
    return (await next) && failedMs < beganMs
  }
}

const connectTimeoutMs = 5_000

/** Whether one of them takes a connection; nothing is sent on it. */
async function anyConnects(endpoints: readonly Endpoint[]): Promise<boolean> {
  const sockets = endpoints.map(endpoint => connect(endpoint))
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), connectTimeoutMs)
  let failed = 0
  for (const socket of sockets)
    socket
      .on('connect', () => resolve(true))
      .on('error', () => {
        failed += 1
        if (failed === sockets.length) resolve(false)
      })
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    for (const socket of sockets) socket.destroy()
  }
}
