import { settings } from '../../support/settings'
import type { Report } from '../../support/suite/report'
import { stripeSettings } from '../stripe/settings'
import { missAndReconcile } from './missed'

const reversals = Number(process.env.FILMGATE_REVERSALS || 200)

/**
 * Two hundred refunds and disputes, a third of them never delivered, one reconciliation, and every purchase is right.
 */
export async function proveReconcile(report: Report): Promise<void> {
  const { webhookSecret: secret } = stripeSettings(settings.portBase)
  const consoleUrl = `http://127.0.0.1:${settings.portBase + 6}`
  const { findings, figures } = await missAndReconcile({
    ...{ webhookUrl: `${consoleUrl}/webhooks/stripe`, secret, consoleUrl, reversals, seed: 31, settledWithinMs: 120_000 },
  })
  for (const { name, holds, words } of findings) report.check(name, holds, words)
  for (const [name, value] of Object.entries(figures)) report.figure(`reconcile.${name}`, value)
  report.check('nothing differs from Stripe', figures.differences === 0, String(figures.differences))
}
