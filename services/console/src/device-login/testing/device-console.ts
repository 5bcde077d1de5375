import { testLog } from '@filmgate/kit/testing'
import { Elysia } from 'elysia'
import { renderError } from '../../layout/render-error'
import { consoleUrl, openConsole } from '../../testing/open-console'
import { hashDeviceCode } from '../codes'
import { oauth } from '../oauth-routes'
import { deviceLogin } from '../routes'

export const deviceCodeGrant = 'urn:ietf:params:oauth:grant-type:device_code'
export const secret = 'sk_live_k1_TheSecretThatIsHandedOutOnce'

type Replica = { handle(request: Request): Response | Promise<Response> }
type Call = { address?: string; replica?: number; headers?: Record<string, string>; body?: string }

export type DeviceConsole = Awaited<ReturnType<typeof openDeviceConsole>>

/** The page of a person, and for command lines two replicas over the same database. */
export async function openDeviceConsole() {
  const replicas: Replica[] = []
  const site = await openConsole(deps => {
    const clientAddress = (request: Request) => request.headers.get('x-test-address') ?? '192.0.2.7'
    for (let count = 0; count < 2; count++)
      replicas.push(new Elysia({ normalize: false }).use(renderError(testLog)).use(oauth({ ...deps, clientAddress })))
    return deviceLogin(deps)
  })

  const handle = async (request: Request, replica = 0): Promise<Response> => {
    const answer = await replicas[replica]?.handle(request)
    if (!answer) throw new Error(`there is no replica ${replica}`)
    return answer
  }

  /** A command line's POST. */
  async function call(path: string, fields: Record<string, string>, { address, replica, headers, body }: Call = {}) {
    const request = new Request(`${consoleUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...(address && { 'x-test-address': address }), ...headers },
      body: body ?? new URLSearchParams(fields).toString(),
    })
    const answer = await handle(request, replica)
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, string> }
  }

  const open = async (deviceName = 'studio', options?: Call) =>
    (await call('/oauth/device/code', { client_id: 'filmgate-cli', device_name: deviceName }, options)).body as {
      device_code: string
      user_code: string
    }
  const poll = (deviceCode: string, options?: Call) =>
    call('/oauth/token', { client_id: 'filmgate-cli', grant_type: deviceCodeGrant, device_code: deviceCode }, options)

  /** As if the client had waited for its interval. */
  const wait = (deviceCode: string) =>
    site.sql`update device_login set polled_at = polled_at - interval '10 minutes' where device_code_hash = ${hashDeviceCode(deviceCode)}`
  const expire = (deviceCode: string) =>
    site.sql`update device_login set expires_at = now() where device_code_hash = ${hashDeviceCode(deviceCode)}`

  async function newAccount(name?: string) {
    const account = await site.newAccount(name)
    const path = `/accounts/${account.id}/keys`
    site.gateway.on(`POST ${path}`, { key_id: 'k1', api_key: secret })
    return { ...account, made: () => site.gateway.seen.filter(seen => seen.method === 'POST' && seen.path === path) }
  }

  const answerForm = (account: { id: string }, userCode: string, fields: Record<string, string> = {}) => ({
    form: { user_code: userCode, account: account.id, name: 'CLI on studio', expires: 'never', date: '', answer: 'approve', ...fields },
  })
  const approve = (account: { id: string; owner: { id: string } }, userCode: string, fields?: Record<string, string>) =>
    site.ask(account.owner, '/device', answerForm(account, userCode, fields))

  return { ...site, handle, call, open, poll, wait, expire, newAccount, answerForm, approve }
}
