import { pause } from '@filmgate/kit/deadline'

/**
 * Returns the result of the work after at least `minMs`, so that the response time doesn't reveal whether an address is
 * known.
 */
export async function withMinDuration<T>(minMs: number, work: Promise<T>): Promise<T> {
  const [end] = await Promise.allSettled([work, pause(minMs)])
  if (end.status === 'rejected') throw end.reason
  return end.value
}
