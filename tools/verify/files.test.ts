import { expect, test } from 'bun:test'
import { hostsIn, readsEnvironment } from './files'

test('a lockfile that says where its packages came from is caught with the line', () => {
  expect(hostsIn('bun.lock', '{\n  "a": ["a@1.0.0", "", {}, "sha512-x"],\n}')).toEqual([])
  expect(hostsIn('bun.lock', '{\n  "a": ["a@1.0.0", "https://mirror.example/a.tgz"],\n}')).toEqual([
    'bun.lock:2: https://mirror.example/a.tgz',
  ])
})

test('a noun folder never reads the environment; a process start only hands it on whole', () => {
  expect(readsEnvironment('services/ledger/src/reservation/reserve.ts', 'const max = process.env.MAX')).toBe(true)
  expect(readsEnvironment('services/ledger/src/reservation/reserve.ts', 'readConfig(process.env)')).toBe(true)
  expect(readsEnvironment('services/ledger/src/main.ts', 'readConfig(process.env)')).toBe(false)
  expect(readsEnvironment('services/ledger/src/main.ts', "const port = process.env['PORT']")).toBe(true)
})
