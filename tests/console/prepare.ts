import { portBaseFrom } from '@filmgate/tools/stack/command/arguments'
import { suitePortBase } from '@filmgate/tools/stack/ports'
import { readCall } from './arguments'
import { mockPort, stripeSettings } from './stripe/settings'
import { startStandIn } from './stripe/stand-in'
import { startMock } from './stripe/witnesses'

/**
 * The console sells credits by a stand-in for Stripe. Where payments are proven, Stripe's own mock, which needs Go, has checked each call to
 * it. Both live as long as the suite.
 */
export default async function prepare(_folder: string, words: string[]): Promise<Record<string, string>> {
  const base = portBaseFrom(process.env.FILMGATE_PORT_BASE, suitePortBase)
  const { port, webhookSecret, env } = stripeSettings(base)
  const { names } = readCall(words)
  const mock = names.includes('payments') || names.includes('reconcile') ? await startMock(mockPort(base)) : undefined
  startStandIn({ port, webhookSecret, webhookUrl: `http://127.0.0.1:${base + 6}/webhooks/stripe`, ...(mock && { mockUrl: mock.url }) })
  return env
}
