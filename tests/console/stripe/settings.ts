/** Of a stack whose console sells by the stand-in. */
export const stripeSettings = (portBase: number) => {
  const port = portBase + 30
  return {
    port,
    webhookSecret,
    env: {
      FILMGATE_STRIPE_SECRET_KEY: 'sk_test_of_the_stand_in',
      FILMGATE_STRIPE_WEBHOOK_SECRET: webhookSecret,
      FILMGATE_STRIPE_URL: `http://127.0.0.1:${port}`,
      FILMGATE_PAYMENT_ASK_AFTER_MS: '3000',
    },
  }
}

const webhookSecret = 'whsec_of_the_stand_in_for_stripe'

export const mockPort = (portBase: number): number => portBase + 32
export const localstripePort = (portBase: number): number => portBase + 33
