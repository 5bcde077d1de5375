import { simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import { type CaughtMail, listPage, mailPage } from './pages'

/** Takes every mail of a local stack and delivers none: SMTP at SMTP_PORT, what was caught at PORT, as pages and at /api/email as JSON. */
const smtpPort = Number(process.env.SMTP_PORT ?? 4126)
const port = Number(process.env.PORT ?? 4127)

/** The oldest go first. */
const mailsKept = 500
const mailBytesMax = 1_048_576

const mails: CaughtMail[] = []
let count = 0

/** The value of a header's line, which may be folded (RFC 5322, 2.2.3). */
const unfolded = (line: string): string =>
  line
    .slice(line.indexOf(':') + 1)
    .replaceAll(/\s+/g, ' ')
    .trim()

const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['AUTH', 'STARTTLS'],
  size: mailBytesMax,
  logger: false,
  onData(stream, { envelope }, done) {
    simpleParser(stream).then(
      ({ subject = '', text = '', html, from, date, headerLines }) => {
        count += 1
        const to = envelope.rcptTo.map(({ address }) => ({ address }))
        mails.unshift({
          id: String(count),
          time: (date ?? new Date()).toISOString(),
          subject,
          text,
          html: html || '',
          from: from?.text ?? '',
          to,
          headers: Object.fromEntries(headerLines.map(({ key, line }) => [key, unfolded(line)])),
        })
        mails.splice(mailsKept)
        done()
      },
      error => done(error),
    )
  },
})
smtp.on('error', error => console.error(error.message))
smtp.listen(smtpPort, '127.0.0.1')

const asPage = (text: string): Response => new Response(text, { headers: { 'content-type': 'text/html; charset=utf-8' } })

const server = Bun.serve({
  port,
  hostname: '127.0.0.1',
  fetch(request) {
    const { pathname, searchParams } = new URL(request.url)
    const to = searchParams.get('to')?.toLowerCase()
    const shown = to === undefined ? mails : mails.filter(mail => mail.to.some(({ address }) => address.toLowerCase() === to))
    if (pathname === '/api/email') return Response.json(shown)
    if (pathname === '/') return asPage(listPage(shown))
    const mail = mails.find(({ id }) => pathname === `/mails/${id}`)
    return mail ? asPage(mailPage(mail)) : new Response('No such mail.', { status: 404 })
  },
})

console.log(`mails are caught on port ${smtpPort} and shown on http://localhost:${server.port}`)
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(0))
