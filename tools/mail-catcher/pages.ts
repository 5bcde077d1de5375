import { type Html, html } from '@filmgate/kit/http/html'

export type CaughtMail = {
  id: string
  time: string
  subject: string
  text: string
  html: string
  from: string
  to: { address: string }[]
  /** By lower-case names. */
  headers: Record<string, string>
}

const frame = (title: string, content: Html, refreshes = false): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${refreshes && html`<meta http-equiv="refresh" content="3">`}
<title>${title}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark }
li { margin: .6rem 0 } small { opacity: .75 } pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit }
</style>
</head>
<body>
${content}
</body>
</html>`.text

const recipients = ({ to }: CaughtMail): string => to.map(({ address }) => address).join(', ')

export const listPage = (mails: CaughtMail[]): string =>
  frame(
    'Caught mails',
    html`<h1>Caught mails</h1>
<p>What the local stack would have sent, the newest first. Nothing leaves this machine.</p>
${mails.length === 0 && html`<p>None yet.</p>`}
<ul>${mails.map(mail => html`<li><a href="/mails/${mail.id}">${mail.subject}</a><br><small>to ${recipients(mail)}, ${mail.time}</small></li>`)}</ul>`,
    true,
  )

export const mailPage = (mail: CaughtMail): string =>
  frame(
    mail.subject,
    html`<p><a href="/">All mails</a></p>
<h1>${mail.subject}</h1>
<p><small>from ${mail.from} to ${recipients(mail)}, ${mail.time}</small></p>
<pre>${linked(mail.text)}</pre>`,
  )

/** The text with its addresses as links. */
const linked = (text: string): Html[] =>
  text.split(/(https?:\/\/\S+)/).map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : html`${part}`))
