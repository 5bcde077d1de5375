import { createTransport } from 'nodemailer'

export type OutgoingMail = { id: string; to: string; subject: string; text: string; html: string; stopUrl?: string | null }

export type Smtp = { send(mail: OutgoingMail): Promise<void>; stop(): void }

const connectTimeoutMs = 10_000
const silenceMs = 20_000

/** `url` is smtp://user:password@host:port or smtps://…; over smtp:// the connection must turn to TLS unless `clearAllowed`. */
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
    socketTimeout: silenceMs,
    // What we send is ours: nothing in it names a file or an address to be read.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const host = from.split('@').at(-1)?.replace(/>.*/, '') ?? 'filmgate'
  return {
    async send({ id, to, subject, text, html, stopUrl }) {
      // The same id when it is sent again, so that a mailbox can tell.
      const messageId = `<${id}@${host}>`
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text, html, messageId, headers: stopHeaders(stopUrl) })
    },
    stop: () => transport.close(),
  }
}

/** A mailbox shows a button that posts there by itself (RFC 2369, RFC 8058). */
const stopHeaders = (stopUrl: string | null | undefined): Record<string, string> =>
  stopUrl ? { 'List-Unsubscribe': `<${stopUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : {}
