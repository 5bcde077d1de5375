import { portBaseFrom } from '@filmgate/tools/stack/command/arguments'
import { suitePortBase } from '@filmgate/tools/stack/ports'
import { stripeSettings } from './stripe/settings'
import { startStandIn } from './stripe/stand-in'

/** The console sells credits by a stand-in for Stripe, which lives as long as the suite. */
export default function prepare(): Record<string, string> {
  const base = portBaseFrom(process.env.FILMGATE_PORT_BASE, suitePortBase)
  const { port, webhookSecret, env } = stripeSettings(base)
  startStandIn({ port, webhookSecret, webhookUrl: `http://127.0.0.1:${base + 6}/webhooks/stripe` })
  return env
}
