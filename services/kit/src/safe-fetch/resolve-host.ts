import { lookup } from 'node:dns/promises'
import { Failure } from '../failure'
import type { Target } from './check-url'
import type { FetchPolicy, FetchReason } from './fetch-policy'
import type { Ending } from './hop/ending'
import { openResolver } from './open-resolver'
import { isPublicAddress } from './public-address'

/** More than any honest name has; a thousand of them are an attempt at something. */
const answersMax = 32

/**
 * The addresses a hop may connect to. The name server is asked directly: neither a hosts file nor a cluster's search domains
 * turn a public name into a private one. A single private answer refuses them all.
 */
export async function resolveHost(target: Target, policy: FetchPolicy, dnsTimeoutMs: number, ending: Ending): Promise<string[]> {
  if (target.address !== undefined) return [target.address]
  if (target.trusted) return (await within(dnsTimeoutMs, ending, lookup(target.host, { all: true }))).map(({ address }) => address)
  const resolver = openResolver(policy)
  try {
    const [v4, v6] = await within(
      dnsTimeoutMs,
      ending,
      Promise.all([resolver.resolve4(target.host).catch(noAnswer), resolver.resolve6(target.host).catch(noAnswer)]),
    )
    const answers = [...v4, ...v6]
    if (answers.length === 0) throw new Failure<FetchReason>('unresolvable', { internal: 'no address' })
    if (!answers.every(address => isPublicAddress(address, policy.forbiddenRanges)))
      throw new Failure<FetchReason>('address_forbidden', {
        details: { words: 'a name with an address that is not public' },
        internal: 'the name has an answer that is not public',
      })
    if (answers.length > answersMax) throw new Failure<FetchReason>('unresolvable', { internal: `more than ${answersMax} addresses` })
    return answers
  } finally {
    resolver.cancel()
  }
}

/** One family without answers is common. Any other fault of either family is one, else silence about the private half would pass. */
function noAnswer(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENODATA' || error.code === 'ENOTFOUND') return []
  throw error
}

async function within<T>(timeoutMs: number, ending: Ending, work: Promise<T>): Promise<T> {
  const timer = Promise.withResolvers<never>()
  const timeout = setTimeout(() => timer.reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
  const forget = ending.watch(timer.reject)
  try {
    return await Promise.race([work, timer.promise])
  } catch (cause) {
    if (cause instanceof Failure) throw cause
    throw new Failure<FetchReason>('unresolvable', { cause })
  } finally {
    clearTimeout(timeout)
    forget()
  }
}
