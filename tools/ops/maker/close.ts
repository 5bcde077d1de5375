import type { Call } from '../operator-api'

export type MakerClosing = { maker: string; minutes: number; reason: string }

/** For some minutes what this maker doesn't know of counts, although it shows nothing else of ours or misses too many at once. */
export const makerClose = (call: Call, { maker, minutes, reason }: MakerClosing) =>
  call('dispatcher', 'POST', `/makers/${encodeURIComponent(maker)}/close`, { reason, minutes })
