/** How long a fault is to last: so many ms in `bun run test`, its real length where `bun run test:faults` says so. */
export const faultMs = (shortMs: number): number => Number(process.env.FILMGATE_FAULT_MS || shortMs)

/** Whether faults last for their real length: clients then keep coming, and ask again no oftener than the contract has them. */
export const isLongFault = Boolean(process.env.FILMGATE_FAULT_MS)

const sayEveryMs = 60_000

/** Waits until a fault that began at `startedAt` has lasted, and says every minute how far that is. */
export async function lastUntil(what: string, startedAt: number, lastsMs: number): Promise<void> {
  for (;;) {
    const lastedMs = Date.now() - startedAt
    if (lastedMs >= lastsMs) return
    if (isLongFault) process.stderr.write(`${what} for ${Math.floor(lastedMs / 1_000)} s\n`)
    await Bun.sleep(Math.min(sayEveryMs, lastsMs - lastedMs))
  }
}
