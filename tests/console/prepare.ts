import { portBaseFrom } from '@filmgate/tools/stack/command/arguments'
import { suitePortBase } from '@filmgate/tools/stack/ports'
import { mockPort, stripeSettings } from './stripe/settings'
import { startStandIn } from './stripe/stand-in'
import { startMock } from './stripe/witnesses'

/** The console sells credits by a stand-in for Stripe, each call to which Stripe's own mock has checked; both live as long as the suite. */
export default async function prepare(): Promise<Record<string, string>> {
  const base = portBaseFrom(process.env.FILMGATE_PORT_BASE, suitePortBase)
  const { port, webhookSecret, env } = stripeSettings(base)
  const { url: mockUrl } = await startMock(mockPort(base))
  startStandIn({ port, webhookSecret, webhookUrl: `http://127.0.0.1:${base + 6}/webhooks/stripe`, mockUrl })
  return env
}
