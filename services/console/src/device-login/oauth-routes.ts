import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import {
  authorizationServerMetadata,
  deviceCodeGrant,
  deviceCodePath,
  metadataPath,
  tokenPath,
} from '@filmgate/kit/http/authorization-server'
import { createLocalBucket } from '@filmgate/kit/request/local-bucket'
import { networkOf } from '@filmgate/kit/request/network-of'
import { Elysia } from 'elysia'
import type { Reason } from '../errors'
import { type FormFields, readForm } from '../http/read-form'
import type { KeyDeps } from '../keys/create-key'
import { exchangeDeviceCode } from './exchange-device-code'
import { answerOAuth, OAuthError } from './oauth-error'
import { intervalSeconds, lifeSeconds, openDeviceLogin } from './open-device-login'

export type OAuthDeps = KeyDeps & { sql: Sql; consoleUrl: string; clientAddress(request: Request): string }

/** The command line. It keeps no secret, so its id proves nothing. */
const clientId = 'filmgate-cli'

/** Polls of a network a minute and replica: fifty command lines at the usual pace. */
const pollsPerMinute = 600

/** The device authorization grant (RFC 8628) for the command line, and its metadata (RFC 8414). */
export const oauth = (deps: OAuthDeps) => {
  const polls = createLocalBucket(pollsPerMinute)
  return new Elysia({ name: 'oauth', normalize: false })
    .get(metadataPath, function getMetadata() {
      return authorizationServerMetadata({ issuer: deps.consoleUrl, consoleUrl: deps.consoleUrl })
    })
    .post(deviceCodePath, function postDeviceCode({ request, set }) {
      return answerOAuth(set, async () => {
        const form = await readParameters(request)
        requireClient(form)
        if (form.get('scope') !== '') throw new OAuthError('invalid_scope', 'There are no scopes. Leave scope out.')
        const opened = await openDeviceLogin(deps, { deviceName: form.get('device_name'), address: deps.clientAddress(request) })
        const uri = `${deps.consoleUrl}/device`
        return {
          device_code: opened.deviceCode,
          user_code: opened.userCode,
          verification_uri: uri,
          verification_uri_complete: `${uri}?user_code=${opened.userCode}`,
          expires_in: lifeSeconds,
          interval: intervalSeconds,
        }
      })
    })
    .post(tokenPath, function postToken({ request, set }) {
      return answerOAuth(set, async () => {
        const address = deps.clientAddress(request)
        requirePoll(polls.take(networkOf(address)))
        const form = await readParameters(request)
        const grant = required(form, 'grant_type')
        requireClient(form)
        if (grant !== deviceCodeGrant) throw new OAuthError('unsupported_grant_type', `The only grant is ${deviceCodeGrant}.`)
        const issued = await exchangeDeviceCode(deps, { deviceCode: required(form, 'device_code'), address })
        const { apiKey, account, expiresAt } = issued
        return { access_token: apiKey, token_type: 'Bearer', ...(expiresAt && { expires_in: secondsUntil(expiresAt) }), account }
      })
    })
}

function requirePoll({ taken, waitMs }: { taken: boolean; waitMs: number }): void {
  if (!taken) throw new Failure<Reason>('too_many', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) })
}

/** RFC 6749, 3.2: a parameter comes once, and one without a value counts as left out. */
async function readParameters(request: Request): Promise<FormFields> {
  const form = await readForm(request)
  for (const name of ['client_id', 'grant_type', 'device_code', 'scope', 'device_name'])
    if (form.all(name).length > 1) throw new OAuthError('invalid_request', `Send ${name} once.`)
  return form
}

function required(form: FormFields, name: string): string {
  const value = form.get(name)
  if (value === '') throw new OAuthError('invalid_request', `Send ${name}.`)
  return value
}

function requireClient(form: FormFields): void {
  if (required(form, 'client_id') !== clientId) throw new OAuthError('invalid_client', `The only client is ${clientId}.`)
}

const secondsUntil = (at: Date): number => Math.max(1, Math.floor((at.getTime() - Date.now()) / 1_000))
