import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { openAccount } from '../../../support/client/account'
import { type Ended, jsonOf, newHome } from './program'

const { apiKey } = await openAccount({ credits: 5 })
const estimate = ['estimate', 'A boat', '-m', 'alpha-h3']

/** Each: what is typed, the exit code, the code of the error, and what the words say. */
const refusals: [what: string, words: string[], exit: number, code: string, printed: string][] = [
  ['an unknown model', ['estimate', 'A boat', '-m', 'alpha-h4'], 2, 'unknown_model', 'did you mean alpha-h3?'],
  ['an unknown model to show', ['models', 'alpha-h4'], 2, 'unknown_model', 'Did you mean alpha-h3?'],
  ['a duration that the model lacks', [...estimate, '--duration', '99'], 2, 'invalid_request', 'duration must be from 4 to 15, and is 99'],
  ['a field that the model lacks', [...estimate, '--field', 'sede=5'], 2, 'unsupported_field', 'sede'],
  ['a duration that is no number', [...estimate, '--duration', '5s'], 2, 'usage', 'whole number'],
  [
    'a file that is not there',
    ['generate', 'A boat', '-m', 'alpha-h3', '--image', 'gone.jpg', '--yes'],
    2,
    'usage',
    'gone.jpg: there is no such file',
  ],
  ['too few credits', ['generate', 'A boat', '-m', 'alpha-h3', '--yes'], 3, 'insufficient_credits', 'It costs 42 credits, and you have 5.'],
  ['an unknown task', ['tasks', 'show', `vt_${'a'.repeat(26)}`], 1, 'task_not_found', 'filmgate tasks list'],
  ['a task id that is none', ['tasks', 'show', 'no task'], 2, 'invalid_argument', ''],
  ['an unknown endpoint', ['webhooks', 'test', 'whe_none'], 1, 'not_found', ''],
  ['an address that is not public', ['webhooks', 'create', 'http://localhost/'], 2, 'invalid_request', 'url'],
  ['no model', ['generate', 'A boat'], 2, 'usage', 'Which model?'],
  ['no prompt', ['generate', '-m', 'alpha-h3'], 2, 'usage', 'What does the video show?'],
  ['an unknown command', ['modles'], 2, 'usage', 'Did you mean models?'],
  ['an unknown option', ['credits', '--jsn'], 2, 'usage', '--json'],
  ['CSV and JSON', ['usage', '--csv'], 2, 'usage', 'exclude each other'],
  ['a tag without a value', ['generate', 'A boat', '-m', 'alpha-h3', '--tag', 'project'], 2, 'usage', 'is not name=value'],
  ['a dimension that there is none of', ['usage', '--by', 'tag'], 2, 'invalid_request', 'tag:NAME'],
]
for (const [what, words, exit, code, printed] of refusals)
  test.concurrent(`${what}: exit ${exit}, ${code}, and words that help`, async () => {
    const ended = await newHome(apiKey).run([...words, '--json'])
    expect([ended.exit, jsonOf(ended).error, ended.err]).toEqual([
      exit,
      expect.objectContaining({ code }),
      expect.stringContaining(printed),
    ])
  })

const codeOf = (ended: Ended) => [ended.exit, (jsonOf(ended).error as { code: string }).code]

test.concurrent('a wrong key is 4, and is never printed', async () => {
  const ended = await newHome('sk_live_wrong_wrong_wrong').run(['credits', '--json'])
  expect(codeOf(ended)).toEqual([4, 'invalid_api_key'])
  expect(ended.err).toContain('filmgate login')
  expect(ended.err + ended.out).not.toContain('sk_live_wrong')
})

test.concurrent('no key is 4, and says how to sign in', async () => {
  const ended = await newHome().run(['credits', '--json'])
  expect(codeOf(ended)).toEqual([4, 'missing_api_key'])
  expect(ended.err).toContain('filmgate login')
})

test.concurrent('an address where nobody answers is 1, is told while it is tried, and says what to check', async () => {
  const home = newHome(apiKey)
  const child = home.start(['credits', '--json'], { url: 'http://127.0.0.1:9/api/v1' })
  const [exit, out, err] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()])
  expect([exit, JSON.parse(out).error.code]).toEqual([1, 'connection_failed'])
  expect(err).toMatch(/Trying again in \d+ s/)
  expect(err).toContain('Check --url (or FILMGATE_URL) and your network.')
})

test.concurrent('an address that is no API says what an address looks like', async () => {
  const home = newHome(apiKey)
  expect(codeOf(await home.run(['credits', '--json'], { url: 'gateway.example' }))).toEqual([2, 'usage'])
})

test.concurrent('a config that can’t be read is named, and `logout` mends it', async () => {
  const home = newHome()
  mkdirSync(home.path('.config/filmgate'), { recursive: true })
  writeFileSync(home.path('.config/filmgate/config.json'), '{"url":')
  const ended = await home.run(['credits', '--json'])
  expect([codeOf(ended), ended.err]).toEqual([[1, 'config_unreadable'], expect.stringContaining('filmgate logout')])
  expect((await home.run(['logout'])).exit).toBe(0)
  expect(codeOf(await home.run(['credits', '--json']))).toEqual([4, 'missing_api_key'])
})
