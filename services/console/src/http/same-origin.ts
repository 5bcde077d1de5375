import { Failure } from '@filmgate/kit/failure'
import { Elysia } from 'elysia'
import type { Reason } from '../errors'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Rejects state-changing requests from other origins, before anything else is read. All supported browsers send Origin
 * with a POST. `exempt` lists paths with their own authentication; a trailing slash includes everything below.
 */
export const sameOrigin = (consoleUrl: string, exempt: readonly string[] = []) =>
  new Elysia({ name: 'same-origin' }).onRequest(function requireSameOrigin({ request }) {
    if (safeMethods.has(request.method) || isExempt(exempt, new URL(request.url).pathname)) return
    const origin = request.headers.get('origin')
    const site = request.headers.get('sec-fetch-site')
    if (origin !== consoleUrl || (site !== null && site !== 'same-origin')) throw new Failure<Reason>('other_site')
  })

const isExempt = (exempt: readonly string[], path: string): boolean =>
  exempt.some(each => path === each || (each.endsWith('/') && path.startsWith(each)))
