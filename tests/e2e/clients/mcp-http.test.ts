import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { mcpProgram } from '../../clients/mcp/connect'
import { openAccount } from '../../support/client/account'
import { smallRequest } from '../../support/client/request'
import { settings } from '../../support/settings'

let url = ''
let server: Bun.Subprocess<'ignore', 'inherit', 'pipe'>

beforeAll(async () => {
  // The key of the environment is nobody's: over HTTP callers bring their own.
  const env = { PATH: process.env.PATH, FILMGATE_URL: settings.url, FILMGATE_API_KEY: 'sk_live_unused', FILMGATE_MCP_BUDGET: '4' }
  server = Bun.spawn([process.execPath, mcpProgram, '--http', '0'], { env, stdin: 'ignore', stdout: 'inherit', stderr: 'pipe' })
  for await (const text of server.stderr.pipeThrough(new TextDecoderStream())) {
    url = /http:\S+/.exec(text)?.[0] ?? ''
    if (url) return
  }
})
afterAll(async () => {
  server.kill('SIGINT')
  expect(await server.exited).toBe(0)
})

async function connect(apiKey: string) {
  const client = new Client({ name: 'test', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer ${apiKey}` } } })
  await client.connect(transport)
  return { client, sessionId: transport.sessionId ?? '' }
}

const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
})
const send = (headers: Record<string, string>, body = initialize) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body,
  })

test('each caller spends by their own key, and all sessions of a key share one budget', async () => {
  const { apiKey } = await openAccount()
  const [one, two] = [await connect(apiKey), await connect(apiKey)]
  const generate = (client: Client) =>
    client.callTool({ name: 'generate_video', arguments: smallRequest({ idempotency_key: crypto.randomUUID() }) })
  const all = await Promise.all([generate(one.client), generate(two.client)])
  expect(all.filter(({ isError }) => !isError).length).toBe(1)
  const { tools } = await one.client.listTools()
  expect(tools.map(({ name }) => name)).not.toContain('save_video')
  await Promise.all([one.client.close(), two.client.close()])
})

test('other hosts and origins, no key, a key that does not work and the session of another key are refused', async () => {
  const { apiKey } = await openAccount()
  const authorization = `Bearer ${apiKey}`
  expect((await send({ authorization, origin: 'https://evil.example.com' })).status).toBe(403)
  expect((await send({ authorization, host: `evil.example.com:${new URL(url).port}` })).status).toBe(403)
  expect((await send({})).status).toBe(401)
  expect((await send({ authorization: 'Bearer sk_live_unused' })).status).toBe(401)
  const { client, sessionId } = await connect(apiKey)
  const other = await openAccount()
  const list = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' })
  expect((await send({ authorization: `Bearer ${other.apiKey}`, 'mcp-session-id': sessionId }, list)).status).toBe(404)
  expect((await send({ authorization, 'mcp-session-id': sessionId }, list)).status).toBe(200)
  await client.close()
})
