import { afterAll, expect, test } from 'bun:test'
import { testDatabase, testLog, until } from '@filmgate/kit/testing'
import { migrationsFolder } from '../database/migrations-folder'
import type { OutgoingMail } from './connect-smtp'
import { queueMail } from './queue-mail'
import { startMailWorker } from './send-mails'

const { sql, drop } = await testDatabase(migrationsFolder)
afterAll(drop)

test('mails wait while the mail server is away, are sent once, and what they said is forgotten', async () => {
  const sent: OutgoingMail[] = []
  let away = true
  const send = async (mail: OutgoingMail) => {
    if (away) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNECTION' })
    if (mail.to === 'nobody@example.com') throw Object.assign(new Error('no such mailbox'), { responseCode: 550, command: 'RCPT TO' })
    sent.push(mail)
  }
  const worker = startMailWorker({ sql, log: testLog, now: () => new Date(), smtp: { send, stop() {} } })
  await queueMail(sql, {
    to: 'ada@example.com',
    subject: 'Hello\r\nBcc: x',
    parts: ['<b>', { label: 'Open', url: 'https://x.example/?a=1&b=2' }],
  })
  await queueMail(sql, { to: 'nobody@example.com', subject: 'Hello', parts: [] })
  await until('tried in vain', async () => (await sql`select 1 from mail where last_error is not null`).length === 2)
  away = false
  await until(
    'sent or refused',
    async () => (await sql`select 1 from mail where sent_at is not null or failed_at is not null`).length === 2,
  )
  await worker.stop()
  expect(sent).toEqual([
    {
      id: expect.any(String),
      to: 'ada@example.com',
      subject: 'Hello Bcc: x',
      text: '<b>\n\nOpen:\nhttps://x.example/?a=1&b=2\n\n-- \nFilmgate',
      unsubscribeUrl: null,
      html: expect.stringContaining('<p>&lt;b&gt;</p><p><a href="https://x.example/?a=1&amp;b=2">Open</a>'),
    } as never,
  ])
  const rows =
    await sql`select recipient, body_text as text, body_html as html, sent_at is not null as sent, failed_at is not null as failed from mail order by id`
  expect([...rows]).toEqual([
    { recipient: 'ada@example.com', text: null, html: null, sent: true, failed: false },
    { recipient: 'nobody@example.com', text: null, html: null, sent: false, failed: true },
  ])
})
