import { passkey } from '@better-auth/passkey'
import type { Sql } from '@filmgate/kit/database/postgres'
import type { Log } from '@filmgate/kit/telemetry/log'
import { type BetterAuthOptions, betterAuth } from 'better-auth'
import { APIError } from 'better-auth/api'
import { genericOAuth, twoFactor } from 'better-auth/plugins'
import { PostgresJSDialect } from 'kysely-postgres-js'
import { uuidv7 } from 'uuidv7'
import { queueMail } from '../mail/queue-mail'
import { nameOf } from '../people/name'
import { knownAddressMail, newAddressMail, resetMail, verificationMail } from './mails'
import { openSession } from './open-session'
import { openedBy } from './opened-by'
import { hashPassword, verifyPassword } from './password-hash'
import { passkeyTables, tables, twoFactorTables } from './tables'

/** A provider that people may sign in with, beside what the console offers itself. */
export type OidcProvider = { issuer: string; clientId: string; clientSecret: string; name: string }

export type AuthOptions = {
  sql: Sql
  log: Log
  consoleUrl: string
  authSecret: string
  secure: boolean
  oidc?: OidcProvider
  /** Throws for an address that may not sign up. */
  checkNewPerson?: (email: string) => void
}

export type Auth = ReturnType<typeof createAuth>

/** Set by us on what the library is given, and by nobody else. */
export const addressHeader = 'x-filmgate-address'

export const oidcId = 'oidc'
/** ASVS 4.0.3, 3.3.2 at level 2. */
export const sessionEndsAfterSeconds = 12 * 3_600
export const passwordLengthMin = 12
export const passwordLengthMax = 128
const linkSeconds = 3_600

export const cookiePrefix = (secure: boolean): string => (secure ? '__Host-filmgate' : 'filmgate')

/** The library that signs people in, on our tables. It limits nothing by itself: its calls come from our own forms, which do. */
export function createAuth(options: AuthOptions) {
  const { sql, log, consoleUrl, authSecret, secure, oidc, checkNewPerson } = options
  return betterAuth({
    appName: 'Filmgate',
    baseURL: consoleUrl,
    basePath: '/auth',
    secret: authSecret,
    trustedOrigins: [consoleUrl],
    database: { dialect: new PostgresJSDialect({ postgres: sql }), type: 'postgres', transaction: true },
    user: {
      ...tables.user,
      changeEmail: { enabled: true },
    },
    account: {
      ...tables.account,
      // Whoever owns the same address at another provider isn't therefore the same person: they connect it themselves, signed in.
      accountLinking: { enabled: true, disableImplicitLinking: true, allowDifferentEmails: true },
      encryptOAuthTokens: true,
    },
    // A link that was sent can't be made from what the database holds.
    verification: { ...tables.verification, storeIdentifier: 'hashed' },
    session: {
      ...tables.session,
      expiresIn: sessionEndsAfterSeconds,
      disableSessionRefresh: true,
      // Who was here just now is our own question: require-recent.ts.
      freshAge: 0,
    },
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      minPasswordLength: passwordLengthMin,
      maxPasswordLength: passwordLengthMax,
      password: { hash: hashPassword, verify: verifyPassword },
      resetPasswordTokenExpiresIn: linkSeconds,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: ({ user, token }) => queueMail(sql, resetMail(user, `${consoleUrl}/reset?token=${token}`)),
      onExistingUserSignUp: ({ user }) => queueMail(sql, knownAddressMail(user, consoleUrl)),
    },
    emailVerification: {
      expiresIn: linkSeconds,
      sendOnSignUp: true,
      sendVerificationEmail: ({ user, token }) => {
        const url = `${consoleUrl}/verify?token=${token}`
        return queueMail(sql, user.emailVerified ? newAddressMail(user, url) : verificationMail(user, url))
      },
    },
    databaseHooks: hooks(checkNewPerson),
    plugins: [
      twoFactor({ issuer: 'Filmgate', schema: twoFactorTables, allowPasswordless: true }),
      passkey({
        rpID: new URL(consoleUrl).hostname,
        rpName: 'Filmgate',
        origin: consoleUrl,
        schema: passkeyTables,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        registration: { afterVerification: ({ verification }) => requireVerified(verification.registrationInfo?.userVerified) },
        // It stands for both factors, so the device must have asked who is there.
        authentication: { afterVerification: ({ verification }) => requireVerified(verification.authenticationInfo.userVerified) },
      }),
      genericOAuth({ config: oidc ? [oidcConfig(oidc)] : [] }),
      openSession(),
    ],
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    onAPIError: { errorURL: `${consoleUrl}/sign-in` },
    advanced: {
      // A cookie of this prefix is the host's alone, over https alone, for every path: a neighbour can't set it.
      cookiePrefix: cookiePrefix(secure),
      useSecureCookies: false,
      defaultCookieAttributes: { secure, sameSite: 'lax', httpOnly: true, path: '/' },
      database: { generateId: uuidv7 },
      ipAddress: { ipAddressHeaders: [addressHeader] },
    },
    logger: {
      // What it warns of are wrong passwords and unknown addresses: the daily bread of a sign-in.
      level: 'error',
      log: (_, message) => log.error({ from: 'better-auth' }, message),
    },
  })
}

const hooks = (checkNewPerson: AuthOptions['checkNewPerson']): BetterAuthOptions['databaseHooks'] => ({
  session: {
    create: { before: async (session, ctx) => ({ data: { ...session, ...openedBy(session, ctx) } }) },
  },
  user: {
    create: {
      before: async (user, ctx) => {
        checkNewPerson?.(user.email)
        if (ctx?.path.startsWith('/callback') && !user.emailVerified)
          throw new APIError('FORBIDDEN', { message: 'the provider has not verified the address', code: 'email_not_verified' })
        return { data: user }
      },
    },
  },
})

async function requireVerified(isVerified: boolean | undefined): Promise<void> {
  if (!isVerified) throw new APIError('UNAUTHORIZED', { message: 'The device did not ask who is there.', code: 'USER_NOT_VERIFIED' })
}

const oidcConfig = ({ issuer, clientId, clientSecret, name }: OidcProvider) => ({
  providerId: oidcId,
  name,
  discoveryUrl: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
  clientId,
  clientSecret,
  scopes: ['openid', 'email', 'profile'],
  pkce: true,
  requireIdTokenVerification: true,
  mapProfileToUser: ({ name, email }: Record<string, unknown>) => ({ name: nameOf(String(name ?? '')) || nameOf(String(email ?? '')) }),
})
