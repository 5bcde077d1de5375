import type { PollAnswer } from '../connector'

/** Printable ASCII, as a URL on the wire is; a row can't hold every other string. Anything else is as good as no URL. */
const urlForm = /^https?:\/\/[!-~]{1,4096}$/

/**
 * Addresses of videos in a part of an answer: an address, an object that has one under `name`, or a list of these where
 * one was expected. Each once, in their order.
 */
export function videoUrlsIn(part: unknown, name: string): string[] {
  const urls = (Array.isArray(part) ? part : [part]).map(one => (isObject(one) ? one[name] : one))
  return [...new Set(urls.filter((url): url is string => typeof url === 'string' && urlForm.test(url)))]
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

type Succeeded = Extract<PollAnswer, { status: 'succeeded' }>

/** We order one video: the first is taken, and of more it is said how many. Undefined where there is none. */
export function succeededWith([outputUrl, ...extra]: string[]): Succeeded | undefined {
  if (outputUrl === undefined) return undefined
  return { status: 'succeeded', outputUrl, ...(extra.length > 0 && { extraOutputs: extra.length }) }
}
