import { type Exchange, exchange, type RawAnswer } from '@filmgate/kit/testing/raw-exchange'
import { openAccount } from '../../support/client/account'
import { settings } from '../../support/settings'
import type { Report } from '../../support/suite/report'
import { framingCases } from './framing'
import { headerCases } from './headers'
import { provePipelining } from './pipelining'
import { requestLineCases } from './request-lines'
import type { Target, WireCase } from './wire-case'

const atOnce = 8
const answerMsMax = 15_000

/** Bytes that are no HTTP, or nearly: each gets an ErrorResponse, or what it asks for, and nobody is left waiting. */
export async function proveWire(report: Report): Promise<void> {
  const { apiKey } = await openAccount({ credits: 1_000_000 })
  const { host, port } = new URL(settings.url)
  const target: Target = { host, apiKey }
  const cases = [...requestLineCases(target), ...headerCases(target), ...framingCases(target)]
  report.figure('wire.cases', cases.length)
  const queue = cases.values()
  const slowest = { ms: 0 }
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const one of queue) {
        // One answer more than is due: what is refused has its connection ended, and nothing else is said on it.
        const refusable = one.expects === 'refusal' || one.expects === 'refusal or close'
        const came = await exchange(Number(port), one.bytes, refusable ? 2 : 1, { timeoutMs: answerMsMax, halfClose: one.halfClose })
        slowest.ms = Math.max(slowest.ms, came.ms)
        judge(report, one, came)
      }
    }),
  )
  report.figure('wire.slowestMs', slowest.ms)
  await provePipelining(report, Number(port), host)
  report.check('the service is well', (await fetch(`${new URL(settings.url).origin}/healthz`)).ok)
}

function judge(report: Report, { name, expects }: WireCase, { answers, closed, hung, rest, ms }: Exchange): void {
  const words = `${name}: ${JSON.stringify(answers).slice(0, 300)} closed ${closed}, rest ${JSON.stringify(rest.slice(0, 80))} after ${Math.round(ms)} ms`
  const last = answers.filter(({ status }) => status >= 200)
  const refusals = last.filter(({ status }) => status >= 400)
  report.check('an answer or a close, never a hang', !hung || last.length > 0, words)
  report.check('every refusal is an ErrorResponse', refusals.every(isErrorResponse), words)
  report.check('one request has one answer', last.length <= 1 && rest === '', words)
  if (expects === 'refusal') report.check('what is none is refused', refusals.length === 1 && closedOrKept(refusals[0], closed), words)
  else if (expects === 'refusal or close')
    report.check('what is cut off is refused or let go', refusals.length === last.length && (closed || refusals.length > 0), words)
  else if (expects !== 'answer') report.check('what is legal is taken', expects.includes(last[0]?.status ?? 0), words)
}

/** A refusal that ends its connection says so. */
const closedOrKept = (answer: RawAnswer | undefined, closed: boolean) => !closed || answer?.headers.connection === 'close'

function isErrorResponse({ text, headers }: RawAnswer): boolean {
  try {
    const { error } = JSON.parse(text)
    return typeof error.code === 'string' && error.message !== '' && headers['content-type']?.startsWith('application/json') === true
  } catch {
    return false
  }
}
