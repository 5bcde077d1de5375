import { afterAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { addressesOf } from './addresses'
import { openInstance } from './instance'
import { servicePlans } from './services'

const instance = openInstance('test-plans', 4100)
afterAll(() => rmSync(instance.dir, { recursive: true }))
const plans = servicePlans({ instance, addresses: addressesOf(instance), gateways: 5, toolPath: [] })
const services = plans.filter(({ env }) => env?.FILMGATE_DEVELOPMENT)

test('no other machine reaches the services of a stack', () => {
  expect(services.map(({ env }) => env?.FILMGATE_HOST)).toEqual(services.map(() => '127.0.0.1'))
})

test('no two processes share a port, and those that clients reach have one for their metrics', () => {
  const metrics = services.flatMap(({ name, env }) => (env?.FILMGATE_METRICS_PORT ? [name] : []))
  expect(metrics.toSorted()).toEqual(['console', 'gateway', 'gateway-2', 'gateway-3', 'gateway-4', 'gateway-5'])
  const further = services.flatMap(({ env }) => env?.FILMGATE_METRICS_PORT ?? [])
  const ports = [...Object.values(instance.ports), ...further, ...services.map(({ port }) => port)].map(Number)
  const own = [...new Set(ports)]
  expect(own).toHaveLength(Object.keys(instance.ports).length + 2 * 3)
  expect(own.filter(port => port < 4100 || port >= 4140)).toEqual([])
})
