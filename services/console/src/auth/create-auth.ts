import { passkey } from '@better-auth/passkey'
import type { Sql } from '@filmgate/kit/database/postgres'
import type { Log } from '@filmgate/kit/telemetry/log'
import { betterAuth } from 'better-auth'
import { twoFactor } from 'better-auth/plugins'
import { PostgresJSDialect } from 'kysely-postgres-js'
import { uuidv7 } from 'uuidv7'
import { hashPassword, verifyPassword } from './password-hash'
import { passkeyTables, tables, twoFactorTables } from './tables'

export type AuthOptions = { sql: Sql; log: Log; consoleUrl: string; authSecret: string; secure: boolean }

export type Auth = ReturnType<typeof createAuth>

/** Set by us on what the library is given, and by nobody else. */
export const addressHeader = 'x-filmgate-address'

export const sessionEndsAfterSeconds = 30 * 86_400
export const passwordLengthMin = 12
export const passwordLengthMax = 128

/** The library that signs people in, on our tables. It limits nothing by itself: its calls come from our own forms, which do. */
export function createAuth({ sql, log, consoleUrl, authSecret, secure }: AuthOptions) {
  const host = new URL(consoleUrl).hostname
  return betterAuth({
    appName: 'Filmgate',
    baseURL: consoleUrl,
    basePath: '/auth',
    secret: authSecret,
    trustedOrigins: [consoleUrl],
    database: { dialect: new PostgresJSDialect({ postgres: sql }), type: 'postgres', transaction: true },
    ...tables,
    session: {
      ...tables.session,
      expiresIn: sessionEndsAfterSeconds,
      disableSessionRefresh: true,
      // Who was here just now is our own question: door/confirmed.ts.
      freshAge: 0,
    },
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      minPasswordLength: passwordLengthMin,
      maxPasswordLength: passwordLengthMax,
      password: { hash: hashPassword, verify: verifyPassword },
    },
    plugins: [
      twoFactor({ issuer: 'Filmgate', schema: twoFactorTables }),
      passkey({ rpID: host, rpName: 'Filmgate', origin: consoleUrl, schema: passkeyTables }),
    ],
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    advanced: {
      // A cookie of this prefix is the host's alone, over https alone, for every path: a neighbour can't set it.
      cookiePrefix: secure ? '__Host-filmgate' : 'filmgate',
      useSecureCookies: false,
      defaultCookieAttributes: { secure, sameSite: 'lax', httpOnly: true, path: '/' },
      database: { generateId: uuidv7 },
      ipAddress: { ipAddressHeaders: [addressHeader] },
    },
    logger: {
      level: 'warn',
      log: (level, message) => log[level === 'error' ? 'error' : 'warn']({ from: 'better-auth' }, message),
    },
  })
}
