import type { PollAnswer, Polled } from './connector'

/** Asks about each by a call of its own, all at once, at providers that can't be asked about many in one; throws where no call got a usable answer. */
export async function pollEach(
  polled: Polled[],
  ask: (one: Polled) => Promise<PollAnswer | undefined>,
): Promise<(PollAnswer | undefined)[]> {
  const asked = await Promise.allSettled(polled.map(ask))
  const [first] = asked
  if (first?.status === 'rejected' && asked.every(({ status }) => status === 'rejected')) throw first.reason
  return asked.map(one => (one.status === 'fulfilled' ? one.value : undefined))
}
