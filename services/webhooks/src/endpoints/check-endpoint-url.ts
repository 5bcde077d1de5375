import { Failure } from '@filmgate/kit/failure'
import { checkUrl } from '@filmgate/kit/safe-fetch/check-url'
import type { FetchPolicy } from '@filmgate/kit/safe-fetch/fetch-policy'
import type { Reason } from '../errors'

/** Refuses (400) what no attempt would be made to. What its name resolves to is checked at each attempt. */
export function checkEndpointUrl(policy: FetchPolicy, url: string, path = 'url'): void {
  try {
    checkUrl(url, policy)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const { words = 'is forbidden' }: { words?: string } = error.options.details ?? {}
    const [rule, message] =
      error.reason === 'address_forbidden' ? ['public_address', `${path} names no public host: ${words}`] : ['url', `${path} ${words}`]
    throw new Failure<Reason>('invalid_request', { details: { issues: [{ path, rule, message }] } })
  }
}
