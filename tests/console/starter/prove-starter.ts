import { audit } from '../../support/operator/operator'
import type { Report } from '../../support/suite/report'
import { signUpByWire } from '../people/sign-up'
import { provePersonOnce } from './person-once'
import { proveStarterFirst } from './starter-first'
import { proveTogether } from './together'
import { proveWebOnly } from './web-only'

/** Starter credits: once a person, in the console alone, spent first; and no crowd passes a limit that it shares with the API. */
export async function proveStarter(report: Report): Promise<void> {
  report.figure('starter.credits', await provePersonOnce(report))
  const person = await signUpByWire('Nora')
  for (const prove of [proveWebOnly, proveStarterFirst, proveTogether])
    await prove(report, person).catch(error =>
      report.check(`${prove.name} ran to its end`, false, error instanceof Error ? error.stack : String(error)),
    )
  const findings = await audit()
  report.check('the auditor finds nothing', findings.length === 0, JSON.stringify(findings))
}
