import { randomBytes } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import { withDeadline } from '../deadline'
import type { FetchPolicy } from './fetch-policy'

/** Asks the policy's name servers, or the machine's own, past hosts files and search domains. */
export function openResolver({ nameServers }: Pick<FetchPolicy, 'nameServers'>): Resolver {
  const resolver = new Resolver()
  if (nameServers) resolver.setServers([...nameServers])
  return resolver
}

const labelBytes = 12

/**
 * Whether our name servers answer for names of the Internet at all. They are asked for a name that nobody has and no cache holds, so that
 * only the servers of `com` say there is none: no stranger has a part in that. Its dot keeps a local forwarder from answering for them, and
 * `com` proves what is missing by hashes with gaps (NSEC3 opt-out), from which a cache may not conclude anything (RFC 8198).
 */
export async function namesResolve(policy: Pick<FetchPolicy, 'nameServers'>, timeoutMs: number): Promise<boolean> {
  const resolver = openResolver(policy)
  try {
    await withDeadline(resolver.resolve4(`${randomBytes(labelBytes).toString('hex')}.com`), timeoutMs, 'the name server')
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && (error.code === 'ENOTFOUND' || error.code === 'ENODATA')
  } finally {
    resolver.cancel()
  }
}
