import type { Job } from '@filmgate/kit/jobs-repository'
import type { Connector } from '../makers/connector'
import type { DueAttempt } from './attempt'

/** An attempt whose time has come, and who can be asked about it. */
export type Due = { attempt: DueAttempt; job: Job; connector: Connector }
