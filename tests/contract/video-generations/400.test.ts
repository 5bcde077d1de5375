import { expect, test } from 'bun:test'
import { openAccount } from '../../support/client/account'
import { expectError } from '../../support/client/errors'
import { ownWords, smallRequest } from '../../support/client/request'
import { simulator } from '../../support/simulator'

const json = { 'content-type': 'application/json', 'idempotency-key': 'key-1' }

test('the body must be JSON and say so', async () => {
  const { api } = await openAccount()
  const send = (headers: Record<string, string>, body?: string | Uint8Array) => api.send('POST', '/video/generations', { headers, body })
  expectError(await send({ ...json, 'content-type': 'text/plain' }, '{}'), 400, 'invalid_content_type')
  for (const body of ['{"prompt":', '', '{"prompt":"a"} b', "{'prompt':'a'}", new Uint8Array([0x22, 0xff, 0x22])])
    expectError(await send(json, body), 400, 'invalid_json')
})

test('a body that is not JSON is told why and where, and buys nothing', async () => {
  const { api } = await openAccount({ credits: 1_000 })
  const model = '{"model":"alpha-h3-fast","prompt":"a boat"'
  for (const [body, message] of [
    ['', 'The body is empty.'],
    [`${model},}`, 'The body is not valid JSON: line 1, column 43: JSON has no trailing comma.'],
    [`${model} // soon\n}`, 'The body is not valid JSON: line 1, column 44: JSON has no comments.'],
    [`{\n  "duration": NaN\n}`, 'The body is not valid JSON: line 2, column 15: JSON has no number NaN.'],
    [Buffer.from('{"prompt":"caf\xe9"}', 'latin1'), 'The body is not UTF-8 at byte 15, which is 0xE9.'],
  ] as const) {
    const answer = await api.send('POST', '/video/generations', { headers: json, body })
    expectError(answer, 400, 'invalid_json')
    expect(answer.body.error?.message).toBe(message)
  }
  const coded = await api.send('POST', '/video/generations', { headers: { ...json, 'content-encoding': 'gzip' }, body: `${model}}` })
  expectError(coded, 400, 'invalid_content_type')
  expect(coded.body.error?.message).toBe('Send the body without Content-Encoding: it is "gzip".')
  expect(await api.credits()).toBe(1_000)
})

test('an Idempotency-Key is needed, of its own form', async () => {
  const { api } = await openAccount()
  const send = (headers: Record<string, string>) =>
    api.send('POST', '/video/generations', { headers, body: JSON.stringify(smallRequest()) })
  expectError(await send({ 'content-type': 'application/json' }), 400, 'missing_idempotency_key')
  for (const key of ['a b', 'x'.repeat(161), 'ä', 'a/b'])
    expectError(await send({ ...json, 'idempotency-key': key }), 400, 'invalid_idempotency_key')
  const two = await send({ ...json, 'idempotency-key': 'a, a' })
  expectError(two, 400, 'invalid_idempotency_key')
  expect(two.body.error?.message).toBe('Send one Idempotency-Key header: the request has several, or a comma in it.')
})

test('tags with a fault are refused with each fault, buy nothing and leave the key free', async () => {
  const { api } = await openAccount({ credits: 1_000 })
  const [body, key] = [smallRequest(), crypto.randomUUID()]
  const send = (tags: string) =>
    api.send('POST', '/video/generations', {
      headers: { ...json, 'idempotency-key': key, 'filmgate-tags': tags },
      body: JSON.stringify(body),
    })
  for (const [tags, rules] of [
    ['Project=spring, shot', ['tag_name', 'tag_value']],
    ['a=1, a=2', ['tag_twice']],
    ['a=%00, b=%', ['tag_value', 'tag_value']],
    [Array.from({ length: 9 }, (_, n) => `t${n}=x`).join(), ['tags_max']],
  ] as const) {
    const { issues } = expectError(await send(tags), 400, 'invalid_request') as { issues: { path: string; rule: string }[] }
    expect(issues.map(({ path, rule }) => [path, rule])).toEqual(rules.map(rule => ['Filmgate-Tags', rule]))
  }
  expect(await api.credits()).toBe(1_000)
  expect((await send('project=spring')).status).toBe(202)
})

test('every fault of a body is named, not only the first', async () => {
  const { api } = await openAccount()
  const body = { model: 'alpha-h3', prompt: ' ', duration: 99, resolution: '999p', aspect_ratio: 1, max_credits: 0 }
  const { issues } = expectError(await api.generate(body), 400, 'invalid_request') as {
    issues: { path: string; rule: string; message: string }[]
  }
  expect(issues.map(({ path }) => path).toSorted()).toEqual(['aspect_ratio', 'duration', 'max_credits', 'prompt', 'resolution'])
  for (const { rule, message } of issues) expect([rule, message].every(words => words.length > 0)).toBe(true)
})

test('a field the model does not take is refused, a known one of another model likewise', async () => {
  const { api } = await openAccount()
  for (const field of ['seed', 'generate_audio', 'colour'])
    expectError(await api.generate(smallRequest({ [field]: 1 })), 400, 'unsupported_field')
})

test('an unknown model, and a body that is no object', async () => {
  const { api } = await openAccount()
  expectError(await api.generate(smallRequest({ model: 'alpha-h4' })), 400, 'unknown_model')
  for (const body of [null, [], 'prompt', 1]) expectError(await api.generate(body), 400, 'invalid_request')
})

test('a prompt of 7,001 characters is one too many', async () => {
  const { api } = await openAccount()
  const { issues } = expectError(await api.generate(smallRequest({ prompt: '🎬'.repeat(7_001) })), 400, 'invalid_request') as {
    issues: { path: string }[]
  }
  expect(issues.map(({ path }) => path)).toEqual(['prompt'])
})

test('max_credits below the price: refused with both, nothing charged and the key not bound', async () => {
  const { api } = await openAccount({ credits: 1_000 })
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'instant' }])
  const idempotencyKey = crypto.randomUUID()
  const refused = await api.generate(smallRequest({ prompt, max_credits: 1 }), { idempotencyKey })
  const details = expectError(refused, 400, 'max_credits_exceeded')
  expect(details).toEqual({ price_credits: expect.any(Number), max_credits: 1, price_version: expect.any(String) })
  expect(await api.credits()).toBe(1_000)
  const max_credits = details.price_credits as number
  const taken = await api.generate(smallRequest({ prompt, max_credits }), { idempotencyKey })
  expect([taken.status, taken.body.credits_used]).toEqual([202, max_credits])
})

test('a prompt the provider refuses: 400 with the task, which is failed and refunded', async () => {
  const { api } = await openAccount({ credits: 1_000 })
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'refuse_content' }])
  const details = expectError(await api.generate(smallRequest({ prompt })), 400, 'prompt_rejected')
  const task = await api.taskOnce(String(details.task_id), ({ billing_status }) => billing_status === 'refunded')
  expect(task).toMatchObject({ status: 'failed', credits_refunded: task.credits_used, error: { code: 'prompt_rejected' } })
  expect(await api.credits()).toBe(1_000)
})

test('nothing of the upstream passes through in a refusal', async () => {
  const { api } = await openAccount()
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'refuse_content' }])
  const refused = await api.generate(smallRequest({ prompt }))
  expectError(refused, 400, 'prompt_rejected')
  expect(await simulator.submits(prompt)).toMatchObject([{ answered: expect.any(String) }])
  const headers = JSON.stringify([...refused.headers].filter(([name]) => name !== 'x-request-id'))
  expect(refused.text + headers).not.toMatch(/sim_|simulator|content_rejected|127\.0\.0\.1|at_/)
})

test('a key that stands twice is refused and named, at any depth and however it is written, and buys nothing', async () => {
  const { api } = await openAccount({ credits: 1_000 })
  const prompt = ownWords()
  const idempotencyKey = crypto.randomUUID()
  for (const [body, path] of [
    [`{"model":"alpha-h3-fast","prompt":"${prompt}","duration":1,"duration":2}`, 'duration'],
    [`{"model":"alpha-h3-fast","prompt":"${prompt}","duration":1,"duration":1}`, 'duration'],
    [`{"prompt":"${prompt}","\\u0070rompt":"b"}`, 'prompt'],
    [`{"prompt":"${prompt}","reference_image_urls":[{"url":1},{"url":1,"url":2}]}`, 'reference_image_urls[1].url'],
  ] as const) {
    const answer = await api.postText('/video/generations', body, idempotencyKey)
    const { issues } = expectError(answer, 400, 'invalid_json') as { issues: { path: string; rule: string; message: string }[] }
    const message = `The key ${path} stands twice in one object of the body.`
    expect([issues, answer.body.error?.message]).toEqual([[{ path, rule: 'unique_key', message }], message])
  }
  expect([await api.credits(), await simulator.submits(prompt)]).toEqual([1_000, []])
  expect((await api.generate(smallRequest({ prompt }), { idempotencyKey })).status).toBe(202)
})

test('a number that isn’t whole, or is beyond all numbers, and a text that is no Unicode are named like any fault of shape', async () => {
  const { api } = await openAccount()
  const fault = async (field: string, value: string) => {
    const body = `{"model":"beta-2.5","prompt":"a boat","duration":5,"${field}":${value}}`.replace(
      /"(duration|prompt)":[^,]+,(?=.*"\1":)/,
      '',
    )
    const { issues } = expectError(await api.postText('/video/generations', body), 400, 'invalid_request') as { issues: { path: string }[] }
    return issues.map(({ path }) => path)
  }
  for (const duration of ['5.5', '1e-1', '5e400', '"5"', '-0', '1e2'])
    expect([duration, await fault('duration', duration)]).toEqual([duration, ['duration']])
  for (const seed of ['-1', '-1e400', '2147483648', '0.1']) expect([seed, await fault('seed', seed)]).toEqual([seed, ['seed']])
  expect(await fault('prompt', '"\\ud800"')).toEqual(['prompt'])
  const { issues } = expectError(await api.postText('/video/generations', '{"prompt":"a boat","duration":1e400}'), 400, 'invalid_request')
  expect(issues).toEqual([{ path: 'duration', rule: 'number_range', message: 'duration must be a number within ±1.8e308, and is 1e400' }])
})

test('a prompt that shows nothing is empty, in creation, estimate and schema alike', async () => {
  const { api } = await openAccount()
  const models = (await api.get('/models')).body as unknown as Models
  const { pattern } = models.data.find(({ id }) => id === 'alpha-h3')?.modes['text-to-video']?.schema.properties.prompt ?? {}
  const issues = [{ path: 'prompt', rule: 'min_length', message: 'prompt must have a visible character, and has none' }]
  for (const prompt of ['\u200b', '\u200f', '\u2800', '\u3164', '\ufe0f', '\u00ad', '\u0085', '\u200b \u2060']) {
    expect(expectError(await api.generate(smallRequest({ prompt })), 400, 'invalid_request')).toEqual({ issues })
    expect(expectError(await api.estimate(smallRequest({ prompt })), 400, 'invalid_request')).toEqual({ issues })
    for (const flags of ['', 'u']) expect(new RegExp(pattern ?? '', flags).test(prompt)).toBe(false)
  }
  for (const flags of ['', 'u']) expect(new RegExp(pattern ?? '^$', flags).test('\u200b❤\ufe0f')).toBe(true)
})

/** What about a URL needs no download to be seen: the rule, and the words that name it. */
const urlFaults: [url: string, rule: string, words: string][] = [
  ['https://media.example.com:8443/a.png', 'https_url', 'must be on port 443, and names port "8443"'],
  ['https://a:b@media.example.com/a.png', 'https_url', 'must have no user and no password before its host'],
  ['https://media.example.com/a.png#t=1', 'https_url', 'must have no fragment, and has "#t=1"'],
  [`https://media.example.com/${'a'.repeat(80)} .png`, 'https_url', 'must be percent-encoded: it has " " (U+0020) at character 107'],
  ['https://bücher.example/a.png', 'https_url', 'must write its host as xn--bcher-kva.example, and writes "bücher.example"'],
  ...(
    [
      ['10.0.0.1', 'not a public address'],
      ['127.0.0.1', 'not a public address'],
      ['[::1]', 'not a public address'],
      ['0x7f.1', 'not a public address'],
      ['2130706433', 'not a public address'],
      ['017700000001', 'not a public address'],
      ['localhost', 'a private name'],
      ['x.local', 'a private name'],
      ['metadata.google.internal', 'a private name'],
    ] as const
  ).map(([host, why]): [string, string, string] => [
    `https://${host}/a.png`,
    'public_host',
    `must name a public host, as in media.example.com, and names "${host}": ${why}`,
  ]),
]

test('a URL that needs no download to be refused is refused before the reservation, in creation, estimate and schema alike', async () => {
  const { api } = await openAccount({ credits: 1_000 })
  const models = (await (await api.send('GET', '/models')).body) as unknown as Models
  const { image_url: schema } = models.data.find(({ id }) => id === 'alpha-h3')?.modes['image-to-video']?.schema.properties ?? {}
  const idempotencyKey = crypto.randomUUID()
  for (const [image_url, rule, words] of urlFaults) {
    const body = { model: 'alpha-h3', mode: 'image-to-video', prompt: 'a boat', image_url }
    const issues = [{ path: 'image_url', rule, message: `image_url ${words}` }]
    expect(expectError(await api.generate(body, { idempotencyKey }), 400, 'invalid_request')).toEqual({ issues })
    expect(expectError(await api.postText('/video/estimate', JSON.stringify(body)), 400, 'invalid_request')).toEqual({ issues })
    expect([
      image_url,
      new RegExp(schema?.pattern ?? 'none').test(image_url) && !new RegExp(schema?.not?.pattern ?? '').test(image_url),
    ]).toEqual([image_url, false])
  }
  // The key is free for another body, and no task was made.
  expectError(await api.generate(smallRequest({ max_credits: 1 }), { idempotencyKey }), 400, 'max_credits_exceeded')
  expect(((await api.send('GET', '/tasks')).body as unknown as { data: unknown[] }).data).toEqual([])
})

type Text = { pattern?: string; not?: { pattern: string } }
type Models = { data: { id: string; modes: Record<string, { schema: { properties: Record<string, Text> } }> }[] }
