import { exposeClockOffset } from '@filmgate/kit/database/clock-offset'
import { connectPostgres } from '@filmgate/kit/database/postgres'
import { startOnceMigrated } from '@filmgate/kit/database/start-once-migrated'
import { addressesOf } from '@filmgate/kit/environment/service-environment'
import { createClientAddress } from '@filmgate/kit/http/client-address'
import { peerOf } from '@filmgate/kit/http/serve'
import { createReadiness } from '@filmgate/kit/http/server'
import { startPublicServer } from '@filmgate/kit/http/start-public-server'
import { createObjectStore } from '@filmgate/kit/object-store'
import { configOrExit, runService } from '@filmgate/kit/process/run'
import { createLog } from '@filmgate/kit/telemetry/log'
import { startTracing } from '@filmgate/kit/telemetry/trace'
import { starterRules } from './accounts/starter-rules'
import { createApp } from './app'
import { createAuth } from './auth/create-auth'
import { createFindPerson } from './auth/find-person'
import { oidcProvider } from './auth/variables'
import { readPacks } from './billing/packs/packs'
import { createWaker } from './billing/start-billing'
import { connectStripe } from './billing/stripe/connect-stripe'
import { type Config, readConfig } from './config'
import { migrationsFolder } from './database/migrations-folder'
import { connectGateway } from './gateway/connect-gateway'
import { limitPerson } from './limits/limit-person'
import { signInLimits } from './limits/limits'
import { connectSmtp } from './mail/connect-smtp'
import { createFindModels } from './models/find-models'
import { watchOperators, withOperatorRole } from './operate/operators'
import { connectServices } from './operate/services/connect-services'
import { createFindOperator } from './operator/find-operator'
import { readDomains, readSignUpRules, rejectNewPerson } from './people/sign-up-rules'
import { startWorkers } from './workers'

const config = configOrExit(() => readConfig(process.env))
const log = createLog({ service: 'console', level: config.logLevel })

/** Presigned URLs must contain the address that browsers use. */
const storeForBrowsers = (store: Config['uploads']) => store && createObjectStore({ ...store, endpoint: store.publicEndpoint })

const operateOf = ({ operate, oidcSecondFactor }: Config) =>
  operate && {
    services: connectServices(operate),
    secondFactorRequired: operate.secondFactorRequired,
    oidcHasSecondFactor: oidcSecondFactor,
  }

const operate = operateOf(config)

await runService(log, async () => {
  const tracing = startTracing({ service: 'console', endpoint: config.otlpEndpoint, sampleRatio: config.traceSampleRatio })
  const sql = connectPostgres({ ...addressesOf(config), poolMax: config.poolMax, applicationName: 'console' })
  exposeClockOffset(sql)
  const now = () => new Date()
  const clientAddress = createClientAddress(config.trustedProxies, peerOf)
  const { consoleUrl, authSecrets } = config
  const links = { consoleUrl, authSecret: authSecrets[0] }
  const secure = consoleUrl.startsWith('https:')
  const signUpRules = await readSignUpRules(config)
  const newcomers = starterRules({ ...config, starterDeniedDomains: await readDomains(config.starterDeniedDomainsFile) })
  const oidc = oidcProvider(config)
  const auth = createAuth({ sql, log, ...links, secure, oidc, checkNewPerson: rejectNewPerson(signUpRules) })
  const { smtpUrl, mailFrom, development } = config
  const smtp = smtpUrl && mailFrom ? connectSmtp({ url: smtpUrl, from: mailFrom, clearAllowed: development }) : undefined
  const gateway = connectGateway({ url: config.gatewayUrl, token: config.consoleToken })
  const { stripeSecretKey: secretKey, stripeWebhookSecret: webhookSecret, stripeUrl, paymentAskAfterMs } = config
  const stripe = secretKey && webhookSecret ? connectStripe({ secretKey, webhookSecret, url: stripeUrl }, log) : undefined
  const packs = readPacks(config.packsFile)
  const events = createWaker()
  const { uploads, outputs, outputBaseUrl } = config
  const uploadStore = uploads && createObjectStore(uploads)
  const workers = startOnceMigrated({ sql, folder: migrationsFolder, log }, () =>
    startWorkers({
      ...{ sql, log, gateway, now, links, smtp },
      ...{ services: operate?.services, billing: stripe && { stripe, paymentAskAfterMs, events } },
    }),
  )
  const readiness = createReadiness({ database: () => workers.started() !== undefined })
  const operators = config.operate && watchOperators(config.operate, log)
  const findPerson = limitPerson(createFindPerson({ auth, sql, clientAddress, now }), config.personRateLimit)
  const app = createApp({
    log,
    ...{ readiness, sql, gateway, consoleUrl },
    secure,
    apiOrigin: new URL(config.apiUrl).origin,
    now,
    outputOrigins: config.outputOrigins,
    auth,
    authSecrets,
    clientAddress,
    limits: signInLimits(config),
    signInLinks: config.signInLinks,
    consoleToken: config.consoleToken,
    signUpRules,
    starterRules: newcomers,
    oidcName: config.oidcName,
    stripe,
    packs,
    billingContact: config.billingContact,
    paymentAskAfterMs,
    wakeEvents: events.wake,
    checkoutOrigins: stripeUrl ? [new URL(stripeUrl).origin] : [],
    uploadOrigins: uploads ? [new URL(uploads.publicEndpoint).origin] : [],
    takesUploads: uploads !== undefined,
    uploadStore: storeForBrowsers(uploads),
    headUpload: uploadStore?.head,
    outputStore: storeForBrowsers(outputs),
    outputBaseUrl,
    findModels: createFindModels(gateway),
    apiUrl: config.apiUrl,
    findOperator: createFindOperator(config.gatewayUrl),
    findPerson: operators ? withOperatorRole(findPerson, operators) : findPerson,
    operate,
  })
  const server = await startPublicServer({ app, config, log, readiness })
  return [
    { name: 'tracing', stop: tracing.stop },
    { name: 'database', stop: () => sql.end({ timeout: 5 }) },
    { name: 'smtp', stop: async () => smtp?.stop() },
    { name: 'workers', stop: workers.stop },
    { name: 'server', stop: () => server.drain(config.drainMs) },
  ]
})
