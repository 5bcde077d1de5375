// What a client does, through the ingress where one is named: an account with credits, one generation, its video, its settled price.
const { GATEWAY_URL, PUBLIC_URL, FILMGATE_OPERATOR_TOKEN, MODEL, HOST_HEADER } = process.env
const base = `${PUBLIC_URL || GATEWAY_URL}/api/v1`
const deadline = Date.now() + Number(process.env.DEADLINE_SECONDS) * 1000

const say = (words: string) => console.log(`${new Date().toISOString()} ${words}`)

async function call(method: string, url: string, bearer: string, body?: object, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${bearer}`,
      ...(HOST_HEADER && url.startsWith(base) ? { host: HOST_HEADER } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(260_000),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`)
  return JSON.parse(text)
}

const named = { 'x-filmgate-operator': 'helm test' }
const operate = (method: string, path: string, body?: object) => call(method, `${GATEWAY_URL}/operator${path}`, FILMGATE_OPERATOR_TOKEN ?? '', body, named)

const { account_id, api_key } = await operate('POST', '/accounts', { name: 'helm test', credits: 1000 })
say(`account ${account_id}`)
// Credits arrive over the line; a first request may be quicker.
let before = 0
while (before === 0 && Date.now() < deadline) {
  before = (await call('GET', `${base}/credits`, api_key)).available_credits
  if (before === 0) await Bun.sleep(500)
}
const order = { model: MODEL, prompt: 'A lighthouse at dusk, waves below, a slow pan to the right', duration: 4 }
const created = await call('POST', `${base}/video/generations`, api_key, order, { 'idempotency-key': crypto.randomUUID() })
say(`task ${created.id} is ${created.status}`)

let task = created
while ((task.status === 'processing' || task.billing_status === 'reserved') && Date.now() < deadline) {
  await Bun.sleep(3000)
  task = await call('GET', `${base}/tasks/${created.id}`, api_key)
}
if (task.status !== 'completed' || task.billing_status !== 'settled') throw new Error(`not completed and settled: ${JSON.stringify(task)}`)

const video = new Uint8Array(await (await fetch(task.output.video_url, { signal: AbortSignal.timeout(60_000) })).arrayBuffer())
if (new TextDecoder().decode(video.subarray(4, 8)) !== 'ftyp') throw new Error(`${task.output.video_url} is not an MP4 (${video.length} bytes)`)
let after = before
while (after !== before - task.credits_used && Date.now() < deadline) {
  await Bun.sleep(500)
  after = (await call('GET', `${base}/credits`, api_key)).available_credits
}
if (after !== before - task.credits_used) throw new Error(`${before} credits became ${after}, and the task says it used ${task.credits_used}`)
say(`completed, settled at ${task.credits_used} credits, ${video.length} bytes of video fetched`)

// Nothing that could be spent is left: the rest of the credits goes back, and the key opens nothing any more.
const reason = 'helm test has ended'
await operate('POST', `/accounts/${account_id}/debits`, { id: crypto.randomUUID(), credits: after, balance: 'paid', reason, by: 'helm test' })
for (const key of (await operate('GET', `/accounts/${account_id}/keys`)).data) await operate('DELETE', `/keys/${key.id}`)
say('credits taken back, key revoked')
