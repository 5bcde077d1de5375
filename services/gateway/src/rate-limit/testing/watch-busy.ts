import { nowMs } from './clock'

export type Busy = { fromMs: number; toMs: number }

const turnMs = 5

/** Records when the event loop stood still. */
export function watchBusy(): { busy: Busy[]; stop(): void } {
  const busy: Busy[] = []
  let lastMs = nowMs()
  const timer = setInterval(() => {
    const atMs = nowMs()
    if (atMs - lastMs > 2 * turnMs) busy.push({ fromMs: lastMs + turnMs, toMs: atMs })
    lastMs = atMs
  }, turnMs)
  return { busy, stop: () => clearInterval(timer) }
}
