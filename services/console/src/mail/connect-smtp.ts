import { createTransport } from 'nodemailer'

export type OutgoingMail = { id: string; to: string; subject: string; text: string; html: string; unsubscribeUrl?: string | null }

export type Smtp = { send(mail: OutgoingMail): Promise<void>; stop(): void }

const connectTimeoutMs = 10_000
const socketTimeoutMs = 20_000

/**
 * `url` is smtp://user:password@host:port or smtps://…. A connection over smtp:// must upgrade to TLS unless
 * `clearAllowed`.
 */
export function connectSmtp({ url, from, clearAllowed }: { url: string; from: string; clearAllowed: boolean }): Smtp {
  const { hostname, port, protocol, username, password } = new URL(url)
  const secure = protocol === 'smtps:'
  const transport = createTransport({
    pool: true,
    host: hostname,
    port: Number(port || (secure ? 465 : 587)),
    secure,
    requireTLS: !secure && !clearAllowed,
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: socketTimeoutMs,
    // Mails never refer to files or URLs to be read.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const host = from.split('@').at(-1)?.replace(/>.*/, '') ?? 'filmgate'
  return {
    async send({ id, to, subject, text, html, unsubscribeUrl }) {
      // The same Message-ID on a retry, so that mailboxes can drop duplicates.
      const messageId = `<${id}@${host}>`
      await transport.sendMail({
        from,
        to: { name: '', address: to },
        subject,
        text,
        html,
        messageId,
        headers: unsubscribeHeaders(unsubscribeUrl),
      })
    },
    stop: () => transport.close(),
  }
}

/** One-click unsubscribe (RFC 2369, RFC 8058). */
const unsubscribeHeaders = (unsubscribeUrl: string | null | undefined): Record<string, string> =>
  unsubscribeUrl ? { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : {}
