import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '@filmgate/kit/testing'
import { type Behaviour, simulatorKey, startTestSystem, type TestSystem } from '../testing/test-system'

const folder = mkdtempSync(join(tmpdir(), 'filmgate-changed-routes-'))
const keyFile = join(folder, 'fal')
const routesDir = mkdtempSync(join(tmpdir(), 'filmgate-changed-routes-'))
const routesFile = join(routesDir, 'delta-3.0.yaml')

let system: TestSystem
let pid: number
beforeAll(async () => {
  writeFileSync(keyFile, simulatorKey)
  system = await startTestSystem(simulatorUrl => ({
    ...{ FAL_KEY_FILE: keyFile, FILMGATE_FAL_URL: `${simulatorUrl}/fal`, FILMGATE_ROUTES_DIR: routesDir },
    FILMGATE_ROUTES_LOOK_EVERY_MS: '50',
  }))
  pid = system.dispatcherPid()
})
beforeEach(() => {
  writeFileSync(keyFile, simulatorKey)
  rmSync(routesFile, { force: true })
})
afterAll(async () => {
  await system?.stop()
  for (const one of [folder, routesDir]) rmSync(one, { recursive: true })
})

const order = { model: 'delta-3.0', durationSeconds: 5, resolution: '720p', aspectRatio: '16:9', generateAudio: false }

async function reserve(...behaviours: Behaviour[]): Promise<string> {
  const prompt = `words ${crypto.randomUUID()}`
  await system.behave(prompt, ...behaviours)
  return system.reserve({ ...order, prompt })
}

async function attemptsOf(taskId: string): Promise<string[]> {
  const answer = await system.operator('GET', `/tasks/${taskId}`)
  const { attempts } = (await answer.json()) as { attempts: { provider: string; state: string }[] }
  return attempts.map(({ provider, state }) => `${provider} ${state}`)
}

/** What becomes of an order now. One that is accepted just before its key goes doesn't end until a key is back. */
async function tried(): Promise<string> {
  const taskId = await reserve({ name: 'instant' })
  const hasEnded = () => system.casesOf(taskId).some(one => one === 'generationRefused' || one === 'generationCompleted')
  await until('its end', async () => hasEnded(), 5_000).catch(() => undefined)
  return (await attemptsOf(taskId)).join()
}

const triedUntil = (what: string, outcome: string) => until(what, async () => (await tried()) === outcome, 30_000)

/** What operators are shown of fal. */
async function falRow(): Promise<Record<string, unknown> | undefined> {
  const answer = await system.operator('GET', '/providers')
  const { data } = (await answer.json()) as { data: Record<string, unknown>[] }
  return data.find(({ provider }) => provider === 'fal')
}

const metric = async (name: string) =>
  new RegExp(`^${name} (\\d+)$`, 'm').exec(await (await fetch(`${system.dispatcherUrl()}/metrics`)).text())?.[1]

test('a key that changes is in force for what runs and for what comes, without a restart', async () => {
  const running = await reserve({ name: 'slow', delay_ms: 2_000 }, { name: 'instant' })
  await system.event(running, 'generationAccepted')
  writeFileSync(keyFile, 'another-key-of-somebody-else')
  await triedUntil('orders to be refused', 'fal refused')
  expect(await falRow()).toMatchObject({ on: true, key: 'refused' })
  writeFileSync(keyFile, `${simulatorKey}\n`)
  await triedUntil('orders to be taken', 'fal completed')
  expect(await falRow()).toMatchObject({ on: true, key: 'accepted' })
  await system.event(running, 'generationCompleted')
  expect(await attemptsOf(running)).toEqual(['fal completed'])
  expect(system.casesOf(running)).not.toContain('generationUncertain')
  expect(system.dispatcherPid()).toBe(pid)
})

test('a key that is taken away turns its provider off, and the simulator stands in; one that comes turns it on', async () => {
  await triedUntil('orders to be taken', 'fal completed')
  writeFileSync(keyFile, '')
  await triedUntil('fal to be off', 'simulator completed')
  expect(await falRow()).toEqual({ provider: 'fal', on: false })
  writeFileSync(keyFile, simulatorKey)
  await triedUntil('fal to be on', 'fal completed')
})

test('routes that change are in force; routes with a slip are not, and are counted until they are mended', async () => {
  writeFileSync(routesFile, 'routes: [{ provider: simulator }]')
  await triedUntil('the changed route to be taken', 'simulator completed')
  writeFileSync(routesFile, 'routes: [{ provider: sim')
  await until('the slip to be counted', async () => (await metric('dispatcher_routes_faulty')) === '1')
  expect(await tried()).toBe('simulator completed')
  rmSync(routesFile)
  await until('the slip to be mended', async () => (await metric('dispatcher_routes_faulty')) === '0')
  expect(await tried()).toBe('fal completed')
  expect(system.dispatcherPid()).toBe(pid)
})
