import { openAccount } from '../support/client/account'
import type { Report } from '../support/suite/report'
import type { Case } from './cases/case'
import { allCases } from './cases/model-cases'
import { inParallel } from './in-parallel'
import { createEstimator, type EstimateAnswer } from './models/estimates'

const casesMin = 1_500

/** Every generated case of every model and mode against the server: what must pass passes with its defaults, what must fail names its field. */
export async function proveTable(report: Report): Promise<void> {
  const { apiKey } = await openAccount({ credits: 1 })
  const estimate = createEstimator(apiKey)
  const cases = allCases()
  report.check('there are enough cases', cases.length >= casesMin, String(cases.length))
  await inParallel(cases, 8, async each => {
    const fault = faultOf(each, await estimate(JSON.stringify(each.body)))
    report.check(each.name, fault === undefined, fault)
  })
  report.figure('table.cases', cases.length)
  report.figure('table.accepted', cases.filter(each => each.accepted).length)
}

/** What is wrong with the answer, if anything. */
export function faultOf(each: Case, { status, estimate, error, text }: EstimateAnswer): string | undefined {
  if (!each.accepted) {
    if (status !== 400) return `${status} instead of 400`
    if (error?.code !== each.code) return `${error?.code} instead of ${each.code}: ${text}`
    return error.details?.issues?.some(issue => issue.path === each.path) ? undefined : `no fault at ${each.path}: ${text}`
  }
  if (!estimate) return `${status}: ${text}`
  const wrong = Object.entries(each.applied ?? {}).find(([name, value]) => JSON.stringify(estimate.request[name]) !== JSON.stringify(value))
  return wrong && `${wrong[0]} is ${JSON.stringify(estimate.request[wrong[0]])} instead of ${JSON.stringify(wrong[1])}`
}
