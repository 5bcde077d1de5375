import { alertSteps } from './alerts'
import { chartSteps } from './charts'
import { codeSteps } from './code'
import { fileSteps } from './files'
import { protoSteps } from './proto'
import type { Step } from './step'
import { unitTestStep } from './unit-tests'

/** Everything `bun run verify` checks. The long ones first, so that they don't wait for the short ones. */
export const steps: Step[] = [...codeSteps, unitTestStep, ...chartSteps, ...alertSteps, ...protoSteps, ...fileSteps]
