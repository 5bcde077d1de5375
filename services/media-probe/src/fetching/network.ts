import { connect } from 'node:net'
import { pause } from '@filmgate/kit/deadline'
import type { Endpoint } from '@filmgate/kit/safe-fetch/endpoint'
import { type FetchPolicy, fetchLimits } from '@filmgate/kit/safe-fetch/fetch-policy'
import { namesResolve } from '@filmgate/kit/safe-fetch/open-resolver'

/** Whether DNS, or our way out, has worked ever since `beganMs` (by `performance.now()`), and does now. */
export type NetworkCheck = (beganMs: number) => Promise<boolean>

/** Distinguishes a fault of our own network from one of a client's host. No client can influence either look. */
export type Network = { dns: NetworkCheck; egress: NetworkCheck }

export const createNetwork = (nameServers: FetchPolicy['nameServers'], egressControls: readonly Endpoint[]): Network => ({
  dns: createNetworkCheck(() => namesResolve(nameServers ? { nameServers } : {}, fetchLimits.dnsTimeoutMs)),
  egress: createNetworkCheck(() => anyConnects(egressControls)),
})

/** However many hosts fail, no server is asked more often than this. */
const checkSpacingMs = 1_000

/**
 * Everybody who asks gets a look that begins after the question; those who ask meanwhile share it. A look that failed after `beganMs` counts
 * even where this one succeeds: what began before our network came back is not the host's fault.
 */
export function createNetworkCheck(check: () => Promise<boolean>): NetworkCheck {
  let next: Promise<boolean> | undefined
  let checkedMs = Number.NEGATIVE_INFINITY
  let failedMs = Number.NEGATIVE_INFINITY

  async function checkWhenDue(): Promise<boolean> {
    await pause(Math.max(0, checkedMs + checkSpacingMs - performance.now()))
    next = undefined
    checkedMs = performance.now()
    const works = await check()
    if (!works) failedMs = performance.now()
    return works
  }

  return async beganMs => {
    next ??= checkWhenDue()
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
