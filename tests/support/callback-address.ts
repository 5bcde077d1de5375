import { callbackToken } from '@filmgate/kit/callback-token'
import { settings } from './settings'

/** Where a provider calls back about an attempt; without one, about one that there isn't. */
export const callbackAddress = (provider: string, attemptId = `at_${crypto.randomUUID().replaceAll('-', '')}`): URL =>
  new URL(`/hooks/${provider}/${callbackToken(settings.attemptSecret, { provider, attemptId })}`, settings.url)
