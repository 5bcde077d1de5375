import { expect, test } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { money, PacksError, readPacks, unitPrice } from './packs'

const folder = mkdtempSync(join(tmpdir(), 'filmgate-packs-'))
const file = (text: string) => {
  const path = join(folder, `${Bun.hash(text)}.yaml`)
  writeFileSync(path, text)
  return path
}
const row = '{ id: a, version: 1, name: A, credits: 10, amount: 7, currency: usd }'

test('packs come from a file in YAML, or are those built in', () => {
  expect(readPacks(file(`packs:\n  - ${row}\n`))).toEqual([{ id: 'a', version: 1, name: 'A', credits: 10, amount: 7, currency: 'usd' }])
  expect(readPacks().map(({ id }) => id)).toEqual(['small', 'medium', 'large'])
})

test.each([
  ['no list', 'packs: 3'],
  ['no packs', 'packs: []'],
  ['the same id twice', `packs: [${row}, ${row}]`],
  ['an amount that is none', `packs: [${row.replace('7', '0')}]`],
  ['a word that packs do not have', `packs: [${row.replace('id: a', 'id: a, discount: 3')}]`],
  ['a file that is not YAML', 'packs: ['],
])('%s is named before anything is sold', (_, text) => {
  expect(() => readPacks(file(text))).toThrow(PacksError)
})

test('prices are shown in their currency, a credit’s also in parts of a cent', () => {
  expect([money(1_050, 'usd'), money(500, 'jpy'), unitPrice({ amount: 475, credits: 500, currency: 'usd' })]).toEqual([
    '$10.50',
    '¥500',
    '$0.0095',
  ])
})

test('the smallest units are those that Stripe counts in, not a bank’s', () => {
  const shown = [money(500, 'isk'), money(500, 'ugx'), money(500, 'mga'), money(5_000, 'kwd'), money(500, 'huf')]
  expect(shown.map(text => Number(text.replaceAll(/[^0-9.]/g, '')))).toEqual([5, 5, 500, 5, 5])
})
