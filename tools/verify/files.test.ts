import { expect, test } from 'bun:test'
import { conflictsIn, hostsIn, readsEnvironment } from './files'

test('a lockfile with package URLs is reported with the line', () => {
  expect(hostsIn('bun.lock', '{\n  "a": ["a@1.0.0", "", {}, "sha512-x"],\n}')).toEqual([])
  expect(hostsIn('bun.lock', '{\n  "a": ["a@1.0.0", "https://mirror.example/a.tgz"],\n}')).toEqual([
    'bun.lock:2: https://mirror.example/a.tgz',
  ])
})

test('conflict markers are reported with their lines', () => {
  const mark = (sign: string) => sign.repeat(7)
  expect(conflictsIn('a.md', `one\n${mark('<')} HEAD\ntwo\n${mark('=')}\nthree\n${mark('>')} other\n`)).toEqual(['a.md:2', 'a.md:6'])
  expect(conflictsIn('a.md', `title\n${mark('=')}\n`)).toEqual([])
})

test('only entry points may pass process.env on', () => {
  const main = 'services/ledger/src/main.ts'
  const folder = 'services/ledger/src/reservation/reserve.ts'
  expect(readsEnvironment(main, '  const config = configOrExit(() => ledgerConfig(process.env))')).toBe(false)
  expect(readsEnvironment(folder, 'const config = readConfig(process.env, {')).toBe(false)
  expect(readsEnvironment(folder, 'export function reserve() {\n  const config = readConfig(process.env)\n}')).toBe(true)
  expect(readsEnvironment(main, "const port = process.env['PORT']")).toBe(true)
  expect(readsEnvironment(main, 'const max = Bun.env.MAX')).toBe(true)
})
