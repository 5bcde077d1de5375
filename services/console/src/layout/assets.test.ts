import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dir, 'assets')
const scripts = [...new Bun.Glob('*.js').scanSync(folder)]

/** What makes markup or code of a text; the browser refuses it unless the text comes from the policy. */
const sink =
  /(?:\.(?:innerHTML|outerHTML|srcdoc)\s*\+?=(?!=)\s*|insertAdjacentHTML\(|parseFromString\(|createContextualFragment\(|HTMLUnsafe\(|document\.write\w*\(|\beval\(|new Function\()(.{0,40})/g

test('scripts make markup of texts by their one policy only', () => {
  const found = scripts.flatMap(name =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(sink)].map(([text, given = '']) => ({ name, text, given })),
  )
  expect(found.length).toBeGreaterThan(4)
  expect(found.filter(({ given }) => !given.startsWith('markupPolicy.createHTML('))).toEqual([])
})
