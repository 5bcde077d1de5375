import { join } from 'node:path'
import { type Account, openAccount } from '../../support/client/account'
import { settings } from '../../support/settings'
import type { Report } from '../../support/suite/report'

const phaseSeconds = 8
const warmUpSeconds = 5
const timesMax = 2

/** 600 sockets that drip and 500 that say nothing: each is answered or let go in its time, and a good client hardly notices. */
export async function proveSlow(report: Report): Promise<void> {
  const account = await openAccount({ credits: 1_000_000 })
  await timesOf(account, warmUpSeconds)
  const before = await timesOf(account, phaseSeconds)
  const port = new URL(settings.url).port
  const attackers = Bun.spawn([process.execPath, join(import.meta.dir, 'attackers.ts'), port, account.apiKey, String(phaseSeconds + 2)], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const reader = attackers.stdout.getReader()
  await reader.read()
  const during = await timesOf(account, phaseSeconds)
  let text = ''
  for (let part = await reader.read(); !part.done; part = await reader.read()) text += new TextDecoder().decode(part.value)
  const after = await timesOf(account, phaseSeconds)
  const ends: Record<string, number> = JSON.parse(text)
  for (const [end, count] of Object.entries(ends)) report.figure(`slow.${end}`, count)
  const odd = Object.keys(ends).filter(end => !/^((head|idle) 408|body 400)$/.test(end))
  report.check('a socket that drips or is silent is answered: 408 for a head, 400 for a body', odd.length === 0, JSON.stringify(ends))
  const without = p99([...before, ...after])
  const beside = p99(during)
  report.figure('slow.p99Ms without', without)
  report.figure('slow.p99Ms', beside)
  report.figure('slow.requests', during.length)
  report.check(
    `a good client's p99 is at most ${timesMax} times what it is without them`,
    beside <= timesMax * without,
    `${beside} and ${without} ms`,
  )
}

/** How long each GET /credits took, one after the other. */
async function timesOf({ apiKey }: Account, seconds: number): Promise<number[]> {
  const end = performance.now() + seconds * 1_000
  const times: number[] = []
  while (performance.now() < end) {
    const startedAt = performance.now()
    const response = await fetch(`${settings.url}/credits`, { headers: { authorization: `Bearer ${apiKey}` } })
    await response.text()
    if (!response.ok) throw new Error(`a good client was answered ${response.status}`)
    times.push(performance.now() - startedAt)
  }
  return times
}

const p99 = (times: number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0
