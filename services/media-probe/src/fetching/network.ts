import { connect } from 'node:net'
import { pause } from '@filmgate/kit/deadline'
import type { Endpoint } from '@filmgate/kit/safe-fetch/endpoint'
import { type FetchPolicy, fetchLimits } from '@filmgate/kit/safe-fetch/fetch-policy'
import { namesResolve } from '@filmgate/kit/safe-fetch/open-resolver'

/** Whether DNS or egress works now and has not failed since `beganMs` (of `performance.now()`). */
export type NetworkCheck = (beganMs: number) => Promise<boolean>

/** Tells a fault of our own network from one of a client's host. Clients can't influence either check. */
export type Network = { dns: NetworkCheck; egress: NetworkCheck }

export const createNetwork = (nameServers: FetchPolicy['nameServers'], egressControls: readonly Endpoint[]): Network => ({
  dns: createNetworkCheck(() => namesResolve(nameServers ? { nameServers } : {}, fetchLimits.dnsTimeoutMs)),
  egress: createNetworkCheck(() => anyConnects(egressControls)),
})

/** Minimum interval between two checks, however many hosts fail. */
const checkSpacingMs = 1_000

/**
 * Each call gets a check that starts after the call; concurrent calls share one. A check that failed after `beganMs`
 * counts even if this one succeeds: the fetch may have started during the outage.
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

/** Whether any endpoint accepts a connection. Nothing is sent. */
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
