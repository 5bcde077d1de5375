import { integer, optional, secret, text, url } from '@filmgate/kit/environment/variables'

export const billingVariables = {
  /** Buying credits is on if both are set. They are in one Secret. */
  stripeSecretKey: ['FILMGATE_STRIPE_SECRET_KEY', optional(text({ pattern: /^[rs]k_(live|test)_[!-~]{8,400}$/ }))],
  stripeWebhookSecret: ['FILMGATE_STRIPE_WEBHOOK_SECRET', optional(secret())],
  /** A stand-in for Stripe, for local development. */
  stripeUrl: ['FILMGATE_STRIPE_URL', optional(url({ protocols: ['https', 'http'] }))],
  /** The packs on sale, in YAML or JSON; defaults to packs.json. */
  packsFile: ['FILMGATE_PACKS_FILE', optional(text())],
  /** Whom people ask for credits if buying is off: an e-mail address or an https address. */
  billingContact: [
    'FILMGATE_BILLING_CONTACT',
    optional(text({ pattern: /^(https:\/\/[^\s<>"]{1,400}|[^\s<>"@]{1,64}@[^\s<>"@]{1,255})$/ })),
  ],
  /** How long to wait for an event of a purchase before asking Stripe. The delay doubles each time, up to six hours. */
  paymentAskAfterMs: ['FILMGATE_PAYMENT_ASK_AFTER_MS', integer({ min: 100, max: 86_400_000, fallback: 600_000 })],
} as const

type Settings = {
  stripeSecretKey?: string | undefined
  stripeWebhookSecret?: string | undefined
  stripeUrl?: string | undefined
  development: boolean
}

/** Faults of the Stripe settings. */
export function billingFaults({ stripeSecretKey, stripeWebhookSecret, stripeUrl, development }: Settings): string[] {
  return [
    ...((stripeSecretKey === undefined) !== (stripeWebhookSecret === undefined)
      ? ['FILMGATE_STRIPE_SECRET_KEY and FILMGATE_STRIPE_WEBHOOK_SECRET belong together: set both, or none']
      : []),
    ...(stripeUrl && !development ? ['FILMGATE_STRIPE_URL is for a stand-in in development (FILMGATE_DEVELOPMENT=1): remove it'] : []),
  ]
}
