import { Failure } from '@filmgate/kit/failure'
import { Elysia } from 'elysia'
import type { Reason } from '../errors'

const safe = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Before anything else is looked at: what may change something must come from the console's own pages. Every browser
 * that the console supports sends Origin with a POST; `exempt` are paths that other machines call, which prove
 * themselves otherwise; with a slash at the end all below it.
 */
export const sameOrigin = (consoleUrl: string, exempt: readonly string[] = []) =>
  new Elysia({ name: 'same-origin' }).onRequest(function requireSameOrigin({ request }) {
    if (safe.has(request.method) || isExempt(exempt, new URL(request.url).pathname)) return
    const origin = request.headers.get('origin')
    const site = request.headers.get('sec-fetch-site')
    if (origin !== consoleUrl || (site !== null && site !== 'same-origin')) throw new Failure<Reason>('other_site')
  })

const isExempt = (exempt: readonly string[], path: string): boolean =>
  exempt.some(each => path === each || (each.endsWith('/') && path.startsWith(each)))
