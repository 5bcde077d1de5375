import { type Instance, root } from './instance'
import type { Plan } from './process/plan'
import { answers, portOpen } from './process/probe'

/** The page with the console's mails; a local stack sends no mail to the internet. */
export const mailPageUrl = ({ ports }: Pick<Instance, 'ports'>): string => `http://localhost:${ports.mailPage}`

export function mailCatcherPlan({ ports }: Instance): Plan {
  return {
    name: 'mail-catcher',
    kind: 'service',
    port: ports.mailPage,
    command: [process.execPath, 'tools/mail-catcher/main.ts'],
    cwd: root,
    env: { PATH: process.env.PATH ?? '', PORT: String(ports.mailPage), SMTP_PORT: String(ports.mailSmtp) },
    ready: async () => (await portOpen(ports.mailSmtp)) && answers(`http://127.0.0.1:${ports.mailPage}/api/email`),
    readyTimeoutMs: 20_000,
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 5_000,
  }
}

/** The console's settings for it. Limits per address and domain are raised, because all local users share one. */
export const signInEnv = ({ ports }: Instance): Record<string, string> => ({
  FILMGATE_SMTP_URL: process.env.FILMGATE_SMTP_URL ?? `smtp://127.0.0.1:${ports.mailSmtp}`,
  FILMGATE_MAIL_FROM: process.env.FILMGATE_MAIL_FROM ?? 'Filmgate <no-reply@filmgate.localhost>',
  FILMGATE_SIGN_IN_LINKS: '1',
  FILMGATE_SIGN_INS_PER_ADDRESS: process.env.FILMGATE_SIGN_INS_PER_ADDRESS ?? '10000',
  FILMGATE_STARTERS_PER_ADDRESS: process.env.FILMGATE_STARTERS_PER_ADDRESS ?? '0',
  FILMGATE_STARTERS_PER_DOMAIN: process.env.FILMGATE_STARTERS_PER_DOMAIN ?? '0',
  FILMGATE_SIGN_UPS_PER_ADDRESS: process.env.FILMGATE_SIGN_UPS_PER_ADDRESS ?? '10000',
})
