import type { Account } from '../../support/client/account'
import type { Route } from './routes'

/** Who asks and the operators' routes; `short` tries the few texts that found something before. */
export type Stage = { account: Account; routes: Route[]; short: boolean }
