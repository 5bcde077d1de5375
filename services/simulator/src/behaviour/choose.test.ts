import { expect, test } from 'bun:test'
import { ruleForm } from './behaviour'
import { choose, type Rule } from './choose'

const rule = (changes: Partial<Rule>): Rule => ({ id: 'rule', left: null, behaviours: [{ name: 'refuse_content' }], ...changes })
const submitted = (prompt: string) => ({ client_task_id: 'att_1', prompt })

test('the oldest rule that matches is taken, as often as it has turns', () => {
  const rules = [
    rule({ id: 'other', match: { client_task_id: 'att_2' } }),
    rule({ id: 'twice', left: 2, match: { prompt_includes: 'cat' } }),
    rule({ id: 'rest' }),
  ]
  const taken = ['a cat', 'a dog', 'cats', 'cat'].map(prompt => choose(rules, submitted(prompt)).rule?.id)
  expect(taken).toEqual(['twice', 'rest', 'twice', 'rest'])
})

test('chance falls by seed and prompt alone: the same run twice, another with another seed, as often as was said', () => {
  const prompts = Array.from({ length: 5_000 }, (_, index) => `prompt ${index}`)
  const run = (seed: number) =>
    prompts.map(prompt => choose([rule({ id: crypto.randomUUID(), probability: 0.2, seed })], submitted(prompt)).behaviours.length)
  expect(run(1)).toEqual(run(1))
  expect(run(1)).not.toEqual(run(2))
  const hits = run(1).reduce((sum, hit) => sum + hit, 0)
  expect(hits).toBeGreaterThan(900)
  expect(hits).toBeLessThan(1_100)
})

test('a rule with an unknown behaviour or parameter is refused', () => {
  expect(ruleForm.Check({ behaviours: [{ name: 'slow', delay_ms: 5 }, { name: 'output_404' }] })).toBe(true)
  for (const behaviours of [[{ name: 'explode' }], [{ name: 'slow', delay: 5 }], [{ name: 'refuse', code: 'because' }], []])
    expect(ruleForm.Check({ behaviours })).toBe(false)
})
