import { Elysia } from 'elysia'

const validMs = 180 * 86_400_000

export type SecurityContactDeps = { securityContact?: string | undefined; now: () => Date }

/** RFC 9116: where to report a vulnerability of this installation. Without an address there is none (404). */
export const securityContact = ({ securityContact: contact, now }: SecurityContactDeps) => {
  const app = new Elysia({ name: 'security-contact', normalize: false })
  if (contact === undefined) return app
  return app.get('/.well-known/security.txt', function getSecurityContact({ set }) {
    set.headers['content-type'] = 'text/plain; charset=utf-8'
    const address = contact.startsWith('https://') ? contact : `mailto:${contact}`
    // It expires within a year, and a day's start is the same at every replica.
    const expires = new Date(Math.floor((now().getTime() + validMs) / 86_400_000) * 86_400_000)
    return `Contact: ${address}\nExpires: ${expires.toISOString()}\nPreferred-Languages: en\n`
  })
}
