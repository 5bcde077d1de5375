import { settings } from '../../support/settings'

export type OpenedLogin = {
  device_code: string
  user_code: string
  verification_uri: string
  verification_uri_complete: string
  expires_in: number
  interval: number
}
type OAuthAnswer<T> = { status: number; headers: Headers; body: T & { error?: string; error_description?: string } }
export type Issued = { access_token: string; token_type: string; account: { id: string; name: string } }

type Metadata = { issuer: string; device_authorization_endpoint: string; token_endpoint: string }

/** What a command line finds out from the API's origin alone. */
export const discover = async (origin = new URL(settings.url).origin): Promise<Metadata> =>
  (await (await fetch(`${origin}/.well-known/oauth-authorization-server`)).json()) as Metadata

async function post<T>(url: string, fields: Record<string, string>, address?: string): Promise<OAuthAnswer<T>> {
  const headers = { ...(address && { 'x-forwarded-for': address }) }
  const answer = await fetch(url, { method: 'POST', headers, body: new URLSearchParams(fields), redirect: 'error' })
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as OAuthAnswer<T>['body'] }
}

export const openLogin = async (deviceName: string, address?: string): Promise<OAuthAnswer<OpenedLogin>> =>
  post((await discover()).device_authorization_endpoint, { client_id: 'filmgate-cli', device_name: deviceName }, address)

export const askForToken = async (fields: Record<string, string>): Promise<OAuthAnswer<Issued>> =>
  post((await discover()).token_endpoint, {
    client_id: 'filmgate-cli',
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    ...fields,
  })
