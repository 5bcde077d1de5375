import type { Sql } from '@filmgate/kit/database/postgres'
import type { Secrets } from '@filmgate/kit/environment/secrets'
import type { Log } from '@filmgate/kit/telemetry/log'
import type { StarterRule } from '../accounts/starter-rules'
import type { Auth } from '../auth/create-auth'
import type { PersonDeps } from '../http/person'
import type { SignInLimits } from '../limits/limits'
import type { SignUpRule } from '../people/sign-up-rules'

/** Dependencies of sign-up, sign-in and account security. */
export type SignInDeps = PersonDeps & {
  sql: Sql
  log: Log
  auth: Auth
  authSecrets: Secrets
  consoleUrl: string
  secure: boolean
  clientAddress: (request: Request) => string
  limits: SignInLimits
  signUpRules: readonly SignUpRule[]
  starterRules: readonly StarterRule[]
  /** The OIDC provider's name, as on its button. */
  oidcName?: string
  now: () => Date
}
