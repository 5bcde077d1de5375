import fc from 'fast-check'
import { openAccount } from '../support/client/account'
import type { Report } from '../support/suite/report'
import { bodyTexts } from './bodies/body-texts'
import { createJudge } from './bodies/judge'
import { createEstimator } from './models/estimates'
import type { PublishedCatalog } from './models/published-models'

const bodiesMax = 100_000
const workers = 8

/** An independent validator with what GET /models publishes, and the server, must agree on every body. A difference is shrunk and printed. */
export async function proveAgreement(report: Report, count = bodiesMax): Promise<void> {
  const { api, apiKey } = await openAccount({ credits: 1 })
  const catalog: PublishedCatalog = JSON.parse((await api.get('/models')).text)
  const judge = createJudge(catalog)
  const estimate = createEstimator(apiKey)
  const seed = Date.now() & 0x7fffffff
  let tried = 0
  let valid = 0

  async function agree(text: string): Promise<void> {
    const expected = judge(JSON.parse(text))
    const answer = await estimate(text)
    tried += 1
    if (expected) valid += 1
    if (answer.status !== (expected ? 200 : 400))
      throw new Error(`the schemas and rules say ${expected ? 'valid' : 'invalid'}, the server ${answer.status}: ${answer.text}`)
    if (answer.estimate && !judge(answer.estimate.request))
      throw new Error(`the request with defaults applied is not valid itself: ${answer.text}`)
  }

  const runs = Array.from({ length: workers }, (_, worker) =>
    fc.check(fc.asyncProperty(bodyTexts(catalog), agree), { numRuns: Math.ceil(count / workers), seed: seed + worker }),
  )
  for (const run of await Promise.all(runs)) {
    const words = run.failed ? `seed ${run.seed}, body ${run.counterexample}: ${run.errorInstance}` : ''
    report.check('the server and an independent validator agree on every body', !run.failed, words)
  }
  report.check('enough bodies were tried', tried >= count, String(tried))
  const share = valid / tried
  report.check('neither valid nor invalid bodies are rare', share > 0.25 && share < 0.75, String(share))
  report.figure('agreement.bodies', tried)
  report.figure('agreement.valid', valid)
  report.figure('agreement.seed', seed)
}
