import { settings } from '../settings'
import { until } from '../until'

export type CaughtMail = { subject: string; text: string; headers: Record<string, string> }

/** What the stack's mail catcher has for an address, newest first. */
export async function mailsTo(address: string): Promise<CaughtMail[]> {
  const url = `http://127.0.0.1:${settings.portBase + 27}/api/email?to=${encodeURIComponent(address)}`
  return (await (await fetch(url, { signal: AbortSignal.timeout(5_000) })).json()) as CaughtMail[]
}

export const mailTo = (address: string, words: string, timeoutMs = 60_000) =>
  until(`a mail “${words}”`, async () => (await mailsTo(address)).find(({ subject }) => subject.includes(words)), timeoutMs)
