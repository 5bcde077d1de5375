import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectMcp, mcpProgram, type ToolResult } from '../../clients/mcp/connect'
import { openAccount } from '../../support/client/account'
import { ownWords, smallRequest } from '../../support/client/request'
import { settings } from '../../support/settings'
import { simulator } from '../../support/simulator'

const folder = await mkdtemp(join(tmpdir(), 'filmgate-mcp-'))
const opened: Awaited<ReturnType<typeof connectMcp>>[] = []
afterAll(async () => {
  await Promise.all(opened.map(each => each.close()))
  await rm(folder, { recursive: true, force: true })
})

async function connect(apiKey: string, limits: Record<string, string> = {}) {
  const one = await connectMcp({ apiKey, limits, saveTo: folder })
  opened.push(one)
  return one
}

const request = () => ({ ...smallRequest(), idempotency_key: crypto.randomUUID() })
const facts = async (told: Promise<ToolResult>) => (await told).structuredContent ?? {}

test('an agent lists, estimates, makes, waits for and saves a video within the budget, and is refused beyond it', async () => {
  const { apiKey } = await openAccount()
  const { client, call } = await connect(apiKey, { FILMGATE_MCP_BUDGET: '5', FILMGATE_MCP_MAX_PER_VIDEO: '100' })
  const fields = smallRequest()
  const wanted = { ...fields, idempotency_key: 'paper-boat-1' }
  const { models } = (await facts(call('list_models'))) as { models: { id: string }[] }
  expect(models.map(({ id }) => id)).toContain(wanted.model)
  const page = await client.readResource({ uri: `filmgate://models/${wanted.model}` })
  expect(JSON.stringify(page.contents)).toContain('## text-to-video')
  expect(await facts(call('estimate_video', fields))).toMatchObject({ credits: 4, budget_left: 5, within_budget: true })

  const { task_id, budget_left } = await facts(call('generate_video', wanted))
  expect(budget_left).toBe(1)
  const told: number[] = []
  const waiting = client.callTool({ name: 'wait_for_video', arguments: { task_id, seconds: 40 } }, undefined, {
    onprogress: ({ progress }) => told.push(progress),
  })
  const { status, video_url } = ((await waiting) as unknown as ToolResult).structuredContent ?? {}
  expect([status, typeof video_url]).toEqual(['completed', 'string'])
  expect([told.length > 0, told]).toEqual([true, told.toSorted((a, b) => a - b)])

  const saved = await facts(call('save_video', { task_id, file_name: 'boat.mp4' }))
  expect((await readFile(String(saved.path))).subarray(4, 8).toString()).toBe('ftyp')
  expect((await call('save_video', { task_id, file_name: 'boat.mp4' })).content[0]?.text).toContain('There is a boat.mp4 already')
  expect((await call('save_video', { task_id, file_name: '../boat.mp4' })).isError).toBe(true)
  expect(await readdir(folder)).toEqual(['boat.mp4'])

  const refused = await call('generate_video', request())
  expect([refused.isError, refused.content[0]?.text]).toEqual([true, expect.stringContaining('1 of the budget of 5 are left')])
  expect(await facts(call('get_credits'))).toMatchObject({ budget: { credits: 5, spent: 4, left: 1 } })
})

test('calls at once share the budget, and one that fails makes room for another', async () => {
  const { apiKey, api } = await openAccount()
  const { call } = await connect(apiKey, { FILMGATE_MCP_BUDGET: '9' })
  const words = ownWords()
  await simulator.behave(words, [{ name: 'moderated' }])
  const all = await Promise.all(Array.from({ length: 5 }, () => call('generate_video', { ...request(), prompt: words })))
  const made = all.flatMap(({ structuredContent }) => structuredContent?.task_id ?? [])
  expect([made.length, (await simulator.submits(words)).length]).toEqual([2, 2])
  await Promise.all(made.map(id => api.taskOnce(String(id))))
  expect(await facts(call('wait_for_video', { task_id: made[0] }))).toMatchObject({ status: 'failed', error: { code: 'output_moderated' } })
  expect((await facts(call('generate_video', request()))).task_id).toStartWith('vt_')
})

test('the same call again is the same video, at once and after a restart, and another request under its key is refused', async () => {
  const { apiKey } = await openAccount()
  const limits = { FILMGATE_MCP_BUDGET: '9' }
  const { call, client } = await connect(apiKey, limits)
  const wanted = request()
  const [first, second] = await Promise.all([facts(call('generate_video', wanted)), facts(call('generate_video', wanted))])
  expect([first.task_id, second.budget_left]).toEqual([second.task_id, 5])
  await client.close()
  const restarted = await connect(apiKey, limits)
  expect(await facts(restarted.call('generate_video', wanted))).toMatchObject({ task_id: first.task_id, budget_left: 9 })
  const changed = await restarted.call('generate_video', { ...wanted, duration: 2 })
  expect([changed.isError, changed.content[0]?.text]).toEqual([true, expect.stringContaining(String(first.task_id))])
  expect((await simulator.submits(wanted.prompt)).length).toBe(1)
})

test('without a budget nothing is made, and unknown fields and faults of a request say what to change', async () => {
  const { apiKey } = await openAccount()
  const { call } = await connect(apiKey)
  const texts = async (name: string, given: object) => {
    const { isError, content } = await call(name, given as Record<string, unknown>)
    return [isError, content[0]?.text]
  }
  expect(await texts('generate_video', request())).toEqual([true, expect.stringContaining('FILMGATE_MCP_BUDGET')])
  expect(await texts('estimate_video', { ...smallRequest(), fps: 24 })).toEqual([true, expect.stringContaining('fps')])
  expect(await texts('estimate_video', smallRequest({ duration: 99 }))).toEqual([true, expect.stringContaining('duration')])
  expect(await texts('get_task', { task_id: 'vt_none' })).toEqual([true, expect.stringContaining('list_tasks')])
})

test('the server ends with its input and on SIGINT, also while a call waits; wrong settings are all named', async () => {
  const { apiKey } = await openAccount()
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'never_finishes' }])
  for (const end of ['input', 'SIGINT'] as const) {
    const env = { PATH: process.env.PATH, FILMGATE_URL: settings.url, FILMGATE_API_KEY: apiKey, FILMGATE_MCP_BUDGET: '9' }
    const server = Bun.spawn([process.execPath, mcpProgram], { env, stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' })
    const send = (id: number, method: string, params: object) => {
      server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
      server.stdin.flush()
    }
    send(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } })
    const request = { ...smallRequest({ prompt }), idempotency_key: 'waits' }
    send(2, 'tools/call', { name: 'generate_video', arguments: request })
    let told = ''
    for await (const text of server.stdout.pipeThrough(new TextDecoderStream())) {
      told += text
      const task = /vt_\w+/.exec(told)?.[0]
      if (!task) continue
      send(3, 'tools/call', { name: 'wait_for_video', arguments: { task_id: task, seconds: 600 } })
      break
    }
    if (end === 'input') await server.stdin.end()
    else server.kill('SIGINT')
    expect([end, await server.exited]).toEqual([end, 0])
  }
  const wrong = Bun.spawn([process.execPath, mcpProgram, '--http', 'x'], {
    env: { PATH: process.env.PATH },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const words = await new Response(wrong.stderr).text()
  expect([await wrong.exited, words.includes('FILMGATE_URL'), words.includes('--http needs a port')]).toEqual([2, true, true])
})
