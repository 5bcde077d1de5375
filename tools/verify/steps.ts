import { alertSteps } from './alerts'
import { chartSteps } from './charts'
import { codeSteps } from './code'
import { commitSteps } from './commits'
import { docSteps } from './docs/steps'
import { fileSteps } from './files'
import { layoutSteps } from './layout/steps'
import { marginSteps } from './margins'
import { protoSteps } from './proto'
import type { Step } from './step'
import { unitTestStep } from './unit-tests'
import { wordSteps } from './words/find-dropped'

/** Everything `bun run verify` checks. The long ones first, so that they don't wait for the short ones. */
export const steps: Step[] = [
  ...codeSteps,
  unitTestStep,
  ...chartSteps,
  ...alertSteps,
  ...protoSteps,
  ...marginSteps,
  ...fileSteps,
  ...layoutSteps,
  ...wordSteps,
  ...docSteps,
  ...commitSteps,
]
