import { connect } from 'node:net'

const probeTimeoutMs = 1000

/** Whether something listens on the local port. */
export function portOpen(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ port, host: '127.0.0.1', timeout: probeTimeoutMs })
    const end = (open: boolean) => {
      socket.destroy()
      resolve(open)
    }
    socket
      .once('connect', () => end(true))
      .once('error', () => end(false))
      .once('timeout', () => end(false))
  })
}

/** Whether the URL answers with status 2xx. */
export const answers = async (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(probeTimeoutMs) }).then(
    response => response.ok,
    () => false,
  )

/** Polls until the condition holds or the time is over; returns whether it held. */
export async function waitUntil(condition: () => Promise<boolean>, timeoutMs: number, everyMs = 50): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (performance.now() < deadline) {
    if (await condition()) return true
    await Bun.sleep(everyMs)
  }
  return false
}
