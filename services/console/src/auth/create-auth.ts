import { passkey } from '@better-auth/passkey'
import type { Sql } from '@filmgate/kit/database/postgres'
import type { Log } from '@filmgate/kit/telemetry/log'
import { type BetterAuthOptions, betterAuth } from 'better-auth'
import { APIError } from 'better-auth/api'
import { genericOAuth, twoFactor } from 'better-auth/plugins'
import { PostgresJSDialect } from 'kysely-postgres-js'
import { uuidv7 } from 'uuidv7'
import { queueMail } from '../mail/queue-mail'
import { sanitizeName } from '../people/name'
import { existingAccountMail, newAddressMail, resetMail, verificationMail } from './mails'
import { openSession } from './open-session'
import { hashPassword, verifyPassword } from './password-hash'
import { sessionOrigin } from './session-origin'
import { passkeyTables, tables, twoFactorTables } from './tables'

/** An external OIDC provider that people may sign in with. */
export type OidcProvider = { issuer: string; clientId: string; clientSecret: string; name: string }

export type AuthOptions = {
  sql: Sql
  log: Log
  consoleUrl: string
  authSecret: string
  secure: boolean
  oidc?: OidcProvider
  /** Throws if the address may not sign up. */
  checkNewPerson?: (email: string) => void
}

export type Auth = ReturnType<typeof createAuth>

/** Only the console sets this header on calls to better-auth. It carries the client's IP address. */
export const addressHeader = 'x-filmgate-address'

export const oidcId = 'oidc'
/** ASVS 4.0.3, 3.3.2 at level 2. */
export const sessionLifeSeconds = 12 * 3_600
export const passwordLengthMin = 12
export const passwordLengthMax = 128
export const linkLifeSeconds = 3_600

export const cookiePrefix = (secure: boolean): string => (secure ? '__Host-filmgate' : 'filmgate')

/**
 * Configures better-auth on the console's tables. Its rate limits are off, because the console's own forms enforce
 * limits.
 */
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
      // An equal address at another provider doesn't prove the same person. People connect a provider themselves,
      // signed in.
      accountLinking: { enabled: true, disableImplicitLinking: true, allowDifferentEmails: true },
      encryptOAuthTokens: true,
    },
    // Tokens are stored as hashes, so that a link can't be built from database contents.
    verification: { ...tables.verification, storeIdentifier: 'hashed' },
    session: {
      ...tables.session,
      expiresIn: sessionLifeSeconds,
      disableSessionRefresh: true,
      // require-recent-sign-in.ts checks for a recent sign-in instead.
      freshAge: 0,
    },
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      minPasswordLength: passwordLengthMin,
      maxPasswordLength: passwordLengthMax,
      password: { hash: hashPassword, verify: verifyPassword },
      resetPasswordTokenExpiresIn: linkLifeSeconds,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: ({ user, token }) => queueMail(sql, resetMail(user, `${consoleUrl}/reset?token=${token}`)),
      onExistingUserSignUp: ({ user }) => queueMail(sql, existingAccountMail(user, consoleUrl)),
    },
    emailVerification: {
      expiresIn: linkLifeSeconds,
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
        registration: { afterVerification: ({ verification }) => requireUserVerification(verification.registrationInfo?.userVerified) },
        // A passkey counts as both factors, so the device must verify the user.
        authentication: { afterVerification: ({ verification }) => requireUserVerification(verification.authenticationInfo.userVerified) },
      }),
      genericOAuth({ config: oidc ? [oidcConfig(oidc)] : [] }),
      openSession(),
    ],
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    onAPIError: { errorURL: `${consoleUrl}/sign-in` },
    advanced: {
      // The __Host- prefix restricts the cookie to this host, https and every path, so that a neighbouring host can't
      // set it.
      cookiePrefix: cookiePrefix(secure),
      useSecureCookies: false,
      defaultCookieAttributes: { secure, sameSite: 'lax', httpOnly: true, path: '/' },
      database: { generateId: uuidv7 },
      ipAddress: { ipAddressHeaders: [addressHeader] },
    },
    logger: {
      // Its warnings are about wrong passwords and unknown addresses, which are normal.
      level: 'error',
      log: (_, message) => log.error({ from: 'better-auth' }, message),
    },
  })
}

const hooks = (checkNewPerson: AuthOptions['checkNewPerson']): BetterAuthOptions['databaseHooks'] => ({
  session: {
    create: { before: async (session, ctx) => ({ data: { ...session, ...sessionOrigin(session, ctx) } }) },
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

async function requireUserVerification(isVerified: boolean | undefined): Promise<void> {
  if (!isVerified) throw new APIError('UNAUTHORIZED', { message: 'The device did not verify the user.', code: 'USER_NOT_VERIFIED' })
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
  mapProfileToUser: ({ name, email }: Record<string, unknown>) => ({
    name: sanitizeName(String(name ?? '')) || sanitizeName(String(email ?? '')),
  }),
})
