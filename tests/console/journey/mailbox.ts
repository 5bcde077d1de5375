import { settings } from '../../support/settings'
import { until } from '../../support/until'

type Mail = { subject: string; text: string }

/** The path and query of the console's link in the newest mail to an address whose subject has these words. */
export async function linkMailed(to: string, subject: RegExp): Promise<string> {
  const mail = await until(`a mail to ${to} about ${subject}`, async () => {
    const answer = await fetch(`http://127.0.0.1:${settings.portBase + 27}/api/email?to=${encodeURIComponent(to)}`)
    return ((await answer.json()) as Mail[]).find(each => subject.test(each.subject))
  })
  const [link] = /https?:\/\/\S+/.exec(mail.text) ?? []
  if (link === undefined) throw new Error(`the mail “${mail.subject}” has no link`)
  const { pathname, search } = new URL(link)
  return pathname + search
}
