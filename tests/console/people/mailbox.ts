import { settings } from '../../support/settings'
import { until } from '../../support/until'

export type Mail = { id: string; subject: string; text: string; headers: Record<string, string> }

/** What the local stack has mailed to an address, the newest first. */
export async function mailsTo(address: string): Promise<Mail[]> {
  const answer = await fetch(`http://127.0.0.1:${settings.portBase + 27}/api/email?to=${encodeURIComponent(address)}`, {
    signal: AbortSignal.timeout(10_000),
  })
  return (await answer.json()) as Mail[]
}

/** The link below `path` in a mail to the address, once it is there. */
export const linkMailed = (address: string, path: string, timeoutMs = 30_000): Promise<string> =>
  until(
    `a mail with ${path} to ${address}`,
    async () => {
      const links = (await mailsTo(address)).flatMap(({ text }) => text.match(/https?:\/\/\S+/g) ?? [])
      return links.find(
        link => `${new URL(link).pathname}${new URL(link).search}`.startsWith(path) && (path !== '/verify' || link.includes('token=')),
      )
    },
    timeoutMs,
  )
