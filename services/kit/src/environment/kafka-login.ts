import { readFileSync } from 'node:fs'
import { askClientCredentials } from '../bus/login/client-credentials'
import { askGoogleToken } from '../bus/login/google-token'
import type { PasswordLogin } from '../bus/login/password-login'
import { holdToken, NoTokenError, type TokenLogin } from '../bus/login/token-login'
import { optional, secret, text, url } from './variables'

export const loginVariables = {
  mechanism: [
    'FILMGATE_KAFKA_SASL_MECHANISM',
    optional(text({ pattern: /^(plain|scram-sha-256|scram-sha-512|oauthbearer|aws-msk-iam|google-iam)$/ })),
  ],
  /** With oauthbearer the client's id and its secret. */
  username: ['FILMGATE_KAFKA_SASL_USERNAME', optional(text())],
  usernameFile: ['FILMGATE_KAFKA_SASL_USERNAME_FILE', optional(text())],
  password: ['FILMGATE_KAFKA_SASL_PASSWORD', optional(secret({ lengthMin: 1 }))],
  passwordFile: ['FILMGATE_KAFKA_SASL_PASSWORD_FILE', optional(text())],
  /** Where tokens are had by the client credentials grant. */
  tokenUrl: ['FILMGATE_KAFKA_OAUTH_TOKEN_URL', optional(url({ protocols: ['https'] }))],
  scope: ['FILMGATE_KAFKA_OAUTH_SCOPE', optional(text())],
  /** A signed assertion in the place of the client's secret, such as the token of a pod's service account. */
  assertionFile: ['FILMGATE_KAFKA_OAUTH_ASSERTION_FILE', optional(text())],
  /** The token itself, which somebody else renews. */
  tokenFile: ['FILMGATE_KAFKA_OAUTH_TOKEN_FILE', optional(text())],
  awsRegion: ['FILMGATE_KAFKA_AWS_REGION', optional(text({ pattern: /^[a-z0-9-]{1,40}$/ }))],
} as const

type Variables = typeof loginVariables
type Name = keyof Variables
export type LoginConfig = { [K in Name]: ReturnType<Variables[K][1]['parse']> } & { tls: boolean }

/** What a mechanism asks for: one of each group. `clear`: what would be sent in clear without TLS. */
type Form = { needs: Name[][]; may?: Name[]; clear?: string }

const username: Name[] = ['username', 'usernameFile']
const password: Name[] = ['password', 'passwordFile']
const forms: Record<string, Form> = {
  plain: { needs: [username, password], clear: 'the password' },
  'scram-sha-256': { needs: [username, password] },
  'scram-sha-512': { needs: [username, password] },
  oauthbearer: { needs: [['tokenUrl'], username, [...password, 'assertionFile']], may: ['scope'], clear: 'the token' },
  'aws-msk-iam': { needs: [['awsRegion']], clear: 'the token' },
  'google-iam': { needs: [], clear: 'the token' },
}
const byTokenFile: Form = { needs: [['tokenFile']], clear: 'the token' }

const called = (name: Name): string => loginVariables[name][0]
const names = Object.keys(loginVariables).filter(name => name !== 'mechanism') as Name[]

export function loginFaults(config: LoginConfig): string[] {
  const { mechanism, tls, tokenFile } = config
  if (!mechanism) return names.filter(name => config[name]).map(name => `${called('mechanism')} is not set, and ${called(name)} is`)
  const { needs, may = [], clear } = mechanism === 'oauthbearer' && tokenFile ? byTokenFile : (forms[mechanism] as Form)
  const chosen = `${called('mechanism')}=${mechanism}`
  const strange = names.filter(name => config[name] && ![...needs.flat(), ...may].includes(name))
  return [
    ...(clear && !tls ? [`${chosen} sends ${clear} in clear without FILMGATE_KAFKA_TLS=1`] : []),
    ...needs.flatMap(group => groupFaults(group, config)),
    ...strange.map(name => `${called(name)} is set, and ${chosen} has no use for it`),
  ]
}

function groupFaults(group: Name[], config: LoginConfig): string[] {
  const set = group.filter(name => config[name])
  if (set.length > 1) return [`${set.map(called).join(' and ')} are both set: one of them`]
  return set.length === 1 ? [] : [`${group.map(called).join(' or ')} is not set, and ${called('mechanism')} is`]
}

export const loginFiles: Name[] = ['usernameFile', 'passwordFile', 'assertionFile', 'tokenFile']

/** As the bus takes it. Files are read for every login. */
export function loginOf(config: LoginConfig): PasswordLogin | TokenLogin | undefined {
  const { mechanism, tokenUrl = '', scope, assertionFile, tokenFile, awsRegion = '' } = config
  const clientId = () => config.username ?? lineOf(config.usernameFile)
  const secretOf = () => config.password ?? lineOf(config.passwordFile)
  switch (mechanism) {
    case undefined:
      return undefined
    case 'aws-msk-iam':
      // Loaded by those alone who use it: it brings AWS's SDK.
      return holdToken(async () => (await import('../bus/login/msk-token')).signMskToken(awsRegion))
    case 'google-iam':
      return holdToken(() => askGoogleToken())
    case 'oauthbearer': {
      if (tokenFile) return { token: async () => tokenIn(tokenFile), forget() {} }
      const proof = assertionFile ? { assertion: () => lineOf(assertionFile) } : { secret: secretOf }
      return holdToken(() => askClientCredentials({ tokenUrl, scope, clientId, proof }))
    }
    default:
      return { mechanism: mechanism as PasswordLogin['mechanism'], username: clientId, password: secretOf }
  }
}

function tokenIn(path: string): string {
  const token = lineOf(path)
  if (!token) throw new NoTokenError(`${path} is empty`)
  return token
}

/** Files of secrets often end with a line's end that is no part of them. */
const lineOf = (path = ''): string => readFileSync(path, 'utf8').replace(/\r?\n$/, '')
