import { alertSteps } from './alerting/alerts'
import { runbookSteps } from './alerting/runbook'
import { chartSteps } from './charts'
import { clientSteps } from './clients'
import { codeSteps } from './code'
import { commitSteps } from './commits/commits'
import { docSteps } from './docs/steps'
import { fileSteps } from './files'
import { judgeSteps } from './judges/judge-examples'
import { layoutSteps } from './layout/steps'
import { marginSteps } from './margins'
import { protoSteps } from './proto'
import type { Step } from './step'
import { unitTestStep } from './unit-tests'
import { wordSteps } from './words/find-dropped'

/** All checks of `bun run verify`, slow ones first. */
export const steps: Step[] = [
  ...codeSteps,
  unitTestStep,
  ...chartSteps,
  ...judgeSteps,
  ...alertSteps,
  ...protoSteps,
  ...clientSteps,
  ...marginSteps,
  ...fileSteps,
  ...layoutSteps,
  ...wordSteps,
  ...docSteps,
  ...runbookSteps,
  ...commitSteps,
]
