import { expect, test } from 'bun:test'
import type { FilmgateVideoOptions } from './video-options.ts'

test('native fields have the types of their model, beside what a call says', () => {
  const right = { duration: 4, resolution: '768p', max_credits: 100, idempotencyKey: 'a' } satisfies FilmgateVideoOptions<'alpha-h3'>
  const newer = { duration: 4, anything: true } satisfies FilmgateVideoOptions<'omega-9'>
  // @ts-expect-error alpha-h3 has no seed.
  const seed = { seed: 7 } satisfies FilmgateVideoOptions<'alpha-h3'>
  // @ts-expect-error alpha-h3 has no 480p.
  const small = { resolution: '480p' } satisfies FilmgateVideoOptions<'alpha-h3'>
  // @ts-expect-error tags are texts.
  const tags = { tags: { scene: 7 } } satisfies FilmgateVideoOptions<'alpha-h3'>
  expect([right, newer, seed, small, tags].length).toBe(5)
})
