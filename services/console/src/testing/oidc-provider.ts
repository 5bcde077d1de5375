import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

export type Claims = { email: string; email_verified: boolean; name: string }

export const oidcClient = { clientId: 'console', clientSecret: 'a-secret-of-the-test', name: 'Example ID' }

/** An independent OIDC provider that requires PKCE. `who` is the person who signs in next. */
export async function startOidcProvider(redirectUri: string, people: Record<string, Claims>) {
  let who = Object.keys(people)[0] ?? ''
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider: Provider = new Provider(issuer, {
    clients: [{ client_id: oidcClient.clientId, client_secret: oidcClient.clientSecret, redirect_uris: [redirectUri] }],
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    cookies: { keys: ['a-key-of-the-test'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, id) => ({ accountId: id, claims: async () => ({ sub: id, ...people[id] }) }),
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({ clientId: oidc.client?.clientId, accountId: oidc.session?.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const handle = provider.callback()
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/')) return void provider.interactionFinished(request, response, { login: { accountId: who } })
    void handle(request, response)
  })
  return {
    issuer,
    /** Signs in as somebody and follows redirects to the console. Returns the console's path. */
    async signIn(url: string, as: string): Promise<string> {
      who = as
      const cookies = new Map<string, string>()
      for (let next = url, hops = 0; hops < 10; hops++) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        const answer = await fetch(next, { redirect: 'manual', headers: { cookie } })
        for (const line of answer.headers.getSetCookie())
          cookies.set(line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1).split(';')[0] ?? '')
        const location = answer.headers.get('location')
        if (location === null) throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`)
        next = new URL(location, next).href
        if (next.startsWith(redirectUri)) return next.slice(new URL(redirectUri).origin.length)
      }
      throw new Error('the provider led round and round')
    },
    stop: () => server.close(),
  }
}
