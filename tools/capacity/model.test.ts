import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../stack/instance'
import { capacityTable, poolMax } from './model'

const read = (file: string) => readFileSync(join(root, file), 'utf8')

test('docs/capacity.md has the table of today’s model', () => {
  expect(read('docs/capacity.md')).toContain(capacityTable([10, 100, 1_000]))
})

test('the model has the pools that the chart counts connections by', () => {
  const dict = /\$poolMax := dict ([^-]*(?:-[^}]*?)?) -\}\}/.exec(read('charts/filmgate/templates/_connections.tpl'))?.[1] ?? ''
  const pools = [...dict.matchAll(/"([\w-]+)" (\d+)/g)].map(([, service, pool]) => [service, Number(pool)])
  expect(Object.fromEntries(pools)).toEqual(poolMax)
})
