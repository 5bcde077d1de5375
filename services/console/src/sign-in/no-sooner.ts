import { pause } from '@filmgate/kit/deadline'

/** The work's end, but not before `ms` are over: so that what an address is known for can't be told by how long an answer takes. */
export async function noSooner<T>(ms: number, work: Promise<T>): Promise<T> {
  const [end] = await Promise.allSettled([work, pause(ms)])
  if (end.status === 'rejected') throw end.reason
  return end.value
}
