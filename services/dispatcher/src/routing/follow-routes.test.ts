import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testLog } from '@filmgate/kit/testing'
import { connectSimulator } from '../providers/simulator/connect-simulator'
import { followRoutes } from './follow-routes'
import { createLiveRouting } from './live-routing'
import { createRouting, type Routing } from './routing'

const bounds = { visibilityMs: 0, firstPollMs: 1_000, submitTimeoutMs: 1, readTimeoutMs: 1 }
const routingOf = (providers: string[]): Routing =>
  createRouting(
    { default: providers.map(provider => ({ provider })), models: {} },
    providers.map(provider => connectSimulator({ provider, url: 'http://127.0.0.1:1', key: 'unused', ...bounds })),
  )

const folders: string[] = []
afterAll(() => folders.forEach(folder => void rmSync(folder, { recursive: true })))

/** A file with the names of the providers that are on; `faultsWith`: what cards lack then. */
function following(faultsWith: (routing: Routing) => string[] = () => []) {
  const folder = mkdtempSync(join(tmpdir(), 'filmgate-follow-routes-'))
  const file = join(folder, 'providers.json')
  writeFileSync(file, '["a"]')
  const read = () => routingOf(JSON.parse(readFileSync(file, 'utf8')))
  const routing = createLiveRouting(read())
  const seen = { looks: [] as string[], errors: [] as string[] }
  const cards = { faultsWith, lookAgain: () => seen.looks.push('again') }
  const log = { ...testLog, error: () => seen.errors.push('slip') } as typeof testLog
  const follower = followRoutes({ files: () => [file], read, routing, cards, log })
  folders.push(folder)
  async function write(text: string): Promise<void> {
    writeFileSync(file, text)
    await follower.look()
  }
  return { routing, seen, write, look: () => follower.look(), providers: () => routing.connectors.map(({ provider }) => provider) }
}

test('what changes in a file is in force for everybody who asks from then on, and every card is judged anew', async () => {
  const { routing, seen, write, providers } = following()
  const before = routing.connectorOf('a')
  await write('["a", "b"]')
  expect([providers(), routing.connectorOf('b')?.provider, seen]).toEqual([['a', 'b'], 'b', { looks: ['again'], errors: [] }])
  expect(routing.configuredRoutes('any').map(({ provider }) => provider)).toEqual(['a', 'b'])
  expect(routing.connectorOf('a') === before).toBe(false)
})

test('a slip, no provider at all, or a value that would lose its mapping leaves in force what is', async () => {
  const { seen, write, providers } = following(next => (next.connectorOf('worse') ? ['m: text-to-video seed has no mapping at worse'] : []))
  for (const [slip, errors] of [
    ['{', 1],
    ['[]', 2],
    ['["worse"]', 3],
  ] as const) {
    await write(slip)
    await write(slip)
    expect([providers(), seen.looks, seen.errors.length]).toEqual([['a'], [], errors])
  }
  await write('["b"]')
  expect([providers(), seen.looks.length, seen.errors.length]).toEqual([['b'], 1, 3])
})

test('a change that a card refuses is in force once the card lets it', async () => {
  let lacks = ['m: text-to-video resolution 4k has no mapping at b']
  const { seen, write, look, providers } = following(() => lacks)
  await write('["b"]')
  await look()
  expect([providers(), seen.errors.length]).toEqual([['a'], 1])
  lacks = []
  await look()
  expect([providers(), seen]).toEqual([['b'], { looks: ['again'], errors: ['slip'] }])
  await look()
  expect(seen.looks.length).toBe(1)
})
