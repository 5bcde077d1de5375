import { join } from 'node:path'
import { cached } from '../stack/fetch/cached'
import { unpackDebian } from '../stack/fetch/package-client'

/** Prometheus' own tool, out of Debian's package. Throws StackFault where it can't be had. */
export async function fetchPromtool(): Promise<string> {
  const own = Bun.which('promtool')
  if (own) return own
  const dir = await cached('promtool-debian', filling => unpackDebian('prometheus', filling))
  return join(dir, 'usr/bin/promtool')
}
