import type { Secrets } from '@filmgate/kit/environment/secrets'
import { Failure } from '@filmgate/kit/failure'
import { unknownAddress } from '@filmgate/kit/http/client-address'
import type { Log } from '@filmgate/kit/telemetry/log'
import { testDatabase, testLog } from '@filmgate/kit/testing'
import { Elysia } from 'elysia'
import { type StarterSettings, starterRules } from '../accounts/starter-rules'
import { createAuth, type OidcProvider } from '../auth/create-auth'
import { createFindPerson } from '../auth/find-person'
import { migrationsFolder } from '../database/migrations-folder'
import type { Reason } from '../errors'
import type { Gateway } from '../gateway/gateway'
import { sameOrigin } from '../http/same-origin'
import { renderError } from '../layout/render-error'
import { signInLimits } from '../limits/limits'
import { type OperatorEntry, watchOperators, withOperatorRole } from '../operate/operators'
import { type OperateAppDeps, operate } from '../operate/routes'
import { type OverviewDeps, overview } from '../overview/routes'
import { deniedDomains, rejectNewPerson } from '../people/sign-up-rules'
import { resetRoutes } from '../reset/routes'
import { renewCookies } from '../secrets/renew-cookies'
import { securityRoutes } from '../security/routes'
import { type LinkDeps, linkRoutes } from '../sign-in/local/link-routes'
import { signInRoutes } from '../sign-in/routes'
import { signUpRoutes } from '../sign-up/routes'
import { type Browser, browserOf } from './test-browser'

export type Options = {
  consoleUrl?: string
  oidc?: OidcProvider
  deniedDomains?: string[]
  signInsPerAddress?: number
  signUpsPerAddress?: number
  gateway?: Gateway
  signInLinks?: boolean
  starters?: Partial<StarterSettings>
  authSecrets?: Secrets
  /** A console on the same database, with other settings. */
  database?: Awaited<ReturnType<typeof testDatabase>>
  /** The operators' pages, for the given operators. */
  operate?: OperateAppDeps['operate']
  operators?: OperatorEntry[]
  log?: Log
}

export const consoleToken = 'a-token-of-the-console-of-tests'

const noGateway: Gateway = {
  request: () => Promise.reject(new Error('no gateway here')),
  get: () => Promise.reject(new Error('no gateway here')),
  fetch: () => Promise.reject(new Error('no gateway here')),
}

/** The sign-in pages for tests, on a database of their own. The header X-Test-Address sets a request's address. */
export async function testConsole(options: Options = {}) {
  const { consoleUrl = 'https://console.example.com', oidc, gateway = noGateway, log = testLog } = options
  const { sql, drop } = options.database ?? (await testDatabase(migrationsFolder))
  const secure = consoleUrl.startsWith('https:')
  const authSecrets = options.authSecrets ?? ['a-secret-of-at-least-32-characters']
  const signUpRules = [deniedDomains(options.deniedDomains ?? [])]
  const auth = createAuth({
    sql,
    log: testLog,
    consoleUrl,
    authSecret: authSecrets[0],
    secure,
    oidc,
    checkNewPerson: rejectNewPerson(signUpRules),
  })
  const clientAddress = (request: Request) => request.headers.get('x-test-address') ?? unknownAddress
  const now = () => new Date()
  const operators = watchOperators({ list: JSON.stringify(options.operators ?? []), file: undefined }, testLog)
  const deps: LinkDeps & OverviewDeps = {
    log,
    sql,
    auth,
    authSecrets,
    consoleUrl,
    secure,
    clientAddress,
    now,
    signUpRules,
    starterRules: starterRules({
      authSecrets,
      startersPerAddress: 0,
      startersPerDomain: 0,
      starterMailProviders: [],
      starterDeniedDomains: [],
      ...options.starters,
    }),
    oidcName: oidc?.name,
    signInLinks: options.signInLinks,
    consoleToken,
    limits: signInLimits({ signInsPerAddress: options.signInsPerAddress ?? 1_000, signUpsPerAddress: options.signUpsPerAddress ?? 1_000 }),
    findPerson: withOperatorRole(createFindPerson({ auth, sql, clientAddress, now }), operators),
    gateway,
  }
  const app = new Elysia({ normalize: false })
    .use(renderError(testLog))
    .use(sameOrigin(consoleUrl))
    .use(renewCookies(deps))
    .use(signInRoutes(deps))
    .use(linkRoutes(deps))
    .use(signUpRoutes(deps))
    .use(resetRoutes(deps))
    .use(securityRoutes(deps))
    .use(overview(deps))
    .use(operate({ ...deps, operate: options.operate }))
    .all('/*', function noSuchPage() {
      throw new Failure<Reason>('not_found')
    })
  const handle = (request: Request): Promise<Response> => Promise.resolve(app.handle(request))
  return {
    sql,
    auth,
    handle,
    consoleUrl,
    drop,
    browser: (address?: string): Browser => browserOf({ handle, consoleUrl, address }),
    /** The newest mail to an address. */
    async mailTo(email: string): Promise<{ subject: string; text: string }> {
      const [mail] = await sql<{ subject: string; text: string }[]>`
        select subject, body_text as text from mail where recipient = ${email} order by id desc limit 1`
      if (!mail) throw new Error(`no mail to ${email}`)
      return mail
    },
  }
}

export type TestConsole = Awaited<ReturnType<typeof testConsole>>

/** The path of the first link in a mail. */
export function linkIn(text: string): string {
  const [link] = /https?:\/\/\S+/.exec(text) ?? []
  if (link === undefined) throw new Error(`no link in ${text}`)
  const { pathname, search } = new URL(link)
  return `${pathname}${search}`
}

export const goodPassword = 'a lantern over wet slate'

/** Signs up, opens the mailed link and confirms. The person is signed in afterwards. */
export async function signUpPerson(test: TestConsole, browser: Browser, email: string, name = 'Ada'): Promise<void> {
  await browser.post('/sign-up', { name, email, password: goodPassword })
  const { text } = await test.mailTo(email)
  const token = new URLSearchParams(linkIn(text).split('?')[1]).get('token') ?? ''
  await browser.post('/verify', { token })
}
