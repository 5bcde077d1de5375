import { expect, test } from 'bun:test'
import {
  type Answers,
  answering,
  answeringAll,
  attemptId,
  bounds,
  done,
  fault,
  id,
  interaction,
  json,
  name,
  operation,
  pollOf,
  pollTold,
  signal,
  told,
} from '../../testing/answering-google'
import { ProviderTrouble } from '../call'
import { generating, queued } from '../mapping/running'
import { connectGoogle } from './connect-google'

test('an operation runs until it is done, and its first video is the output', async () => {
  const { provider, asked } = answering({ [name]: json(200, { name }) })
  expect(await provider.poll([operation], signal)).toEqual([{ status: 'running' }])
  expect(asked).toMatchObject([{ method: 'GET', path: `/v1beta/${name}`, key: 'the-key' }])
  const uri = 'https://generativelanguage.googleapis.com/v1beta/files/abc:download?alt=media'
  const response = { generateVideoResponse: { generatedSamples: [{ video: { uri } }] } }
  expect(await done({ response })).toEqual({ status: 'succeeded', outputUrl: uri })
  expect(await done({ response, error: { code: 13 } })).toEqual({ status: 'succeeded', outputUrl: uri })
})

test('what became of an operation: its own error, a video that was withheld, or nothing that we read', async () => {
  const failed = { status: 'failed', code: 'generation_failed', cause: 'failed: code 13' } as const
  expect(await done({ error: { code: 13, message: 'internal' } })).toEqual(failed)
  const sentence = 'The prompt could not be submitted: it contains sensitive words that violate Google’s Responsible AI practices.'
  expect(await done({ error: { code: 3, message: sentence } })).toMatchObject({ code: 'prompt_rejected' })
  const withheld = { generateVideoResponse: { raiMediaFilteredCount: 1, raiMediaFilteredReasons: ['words'] } }
  expect(await done({ response: withheld })).toMatchObject({ status: 'failed', code: 'output_moderated' })
  const without = { status: 'running', unknownWord: 'done without a video' } as const
  expect(await done({})).toEqual(without)
  for (const video of [{}, { uri: 7 }, { uri: 'https://a.example/a b' }, { uri: 'ftp://a/b' }]) {
    const response = { generateVideoResponse: { generatedSamples: [{ video }], raiMediaFilteredCount: 1 } }
    expect(await done({ response })).toEqual(without)
  }
})

/** An interaction with this in its answer to us. */
const output = (...content: object[]) => ({
  steps: [
    { type: 'user_input', content: [{ type: 'video' }] },
    { type: 'model_output', content },
  ],
})
const tokens = (...modalities: string[]) => ({
  usage: { output_tokens_by_modality: modalities.map(modality => ({ modality, tokens: 7 })) },
})

test('an interaction’s video is its output once its file is ready', async () => {
  for (const state of ['PROCESSING', 'ACTIVE', 'FAILED', 'RESTING']) {
    const answers: Answers = { 'files/abc1': json(200, { name: 'files/abc1', state }) }
    const { provider, base, asked } = answering(answers)
    const uri = `${base}/files/abc1:download?alt=media`
    answers[`interactions/${id}`] = told('completed', output({ type: 'video', mime_type: 'video/mp4', uri }))
    const expected = {
      PROCESSING: { status: 'running' },
      ACTIVE: { status: 'succeeded', outputUrl: uri },
      FAILED: { status: 'failed', code: 'generation_failed' },
      RESTING: { status: 'running', unknownWord: 'file RESTING' },
    }[state]
    expect((await provider.poll([interaction], signal))[0]).toMatchObject(expected ?? {})
    expect(asked.map(({ path }) => path)).toEqual([`/v1beta/interactions/${id}`, '/v1beta/files/abc1'])
    answers['files/abc1'] = json(403, fault(403, 'PERMISSION_DENIED'))
    await expect(provider.poll([interaction], signal)).rejects.toThrow(ProviderTrouble)
  }
})

test('a file is asked about without what follows its name, and an address elsewhere is taken as it is', async () => {
  const answers: Answers = { 'files/abc1': json(200, { state: 'ACTIVE' }) }
  const { provider, base } = answering(answers)
  answers[`interactions/${id}`] = told('completed', { output_video: { type: 'video', uri: `${base}/files/abc1` } })
  expect(await provider.poll([interaction], signal)).toEqual([{ status: 'succeeded', outputUrl: `${base}/files/abc1:download?alt=media` }])
  delete answers['files/abc1']
  for (const elsewhere of ['https://storage.example/a.mp4', `${base}/files/../interactions/x`, `${base}.example/files/abc1`]) {
    answers[`interactions/${id}`] = told('completed', output({ type: 'video', uri: elsewhere }))
    expect(await provider.poll([interaction], signal)).toEqual([{ status: 'succeeded', outputUrl: elsewhere }])
  }
})

test('an interaction that runs, and one whose word we don’t know, is running', async () => {
  expect([await pollTold('queued'), await pollTold('in_progress')]).toEqual([queued(), generating()])
  for (const status of ['requires_action', 'requires_continuation', 'warming_up'])
    expect(await pollTold(status)).toEqual({ status: 'running', unknownWord: status })
})

test('an interaction that ended without a video has failed; where a part of one may be there, a person looks', async () => {
  const failed = { status: 'failed', code: 'generation_failed' }
  expect(await pollTold('failed', { errors: [{ code: 'internal_error', message: 'words' }] })).toEqual({
    ...failed,
    cause: 'failed: internal_error',
  } as never)
  for (const status of ['cancelled', 'incomplete', 'budget_exceeded']) {
    expect(await pollTold(status, output({ type: 'text', text: 'words' }))).toEqual({ ...failed, cause: `failed: ${status}` } as never)
    expect(await pollTold(status)).toEqual({ status: 'running', unknownWord: status })
    expect(await pollTold(status, output({ type: 'video', uri: 'https://a.example/a' }))).toEqual({
      status: 'running',
      unknownWord: status,
    })
  }
  expect(await pollTold('failed', { error: { code: 'internal', status: 'PROHIBITED_CONTENT' } })).toMatchObject({
    code: 'output_moderated',
  })
})

test('words where a video should be are a refusal of the content rules; anything else without one is no verdict', async () => {
  const text = { type: 'text', text: 'I can’t.' }
  expect(await pollTold('completed', { ...output(text), ...tokens('text') })).toMatchObject({ status: 'failed', code: 'output_moderated' })
  const without = { status: 'running', unknownWord: 'completed without a video' } as const
  for (const more of [
    {},
    output(text),
    output(),
    { ...output(text), ...tokens() },
    { ...output(text), ...tokens('text', 'video') },
    { ...output(text, { type: 'image' }), ...tokens('text') },
  ])
    expect(await pollTold('completed', more)).toEqual(without)
  for (const video of [{ data: 'AAAA' }, { uri: 'ftp://a/b' }])
    expect(await pollTold('completed', { ...output({ type: 'video', ...video }), ...tokens('text') })).toEqual({
      ...{ status: 'running', unknownWord: 'completed with a video that has no URL' },
    })
})

test('an id that Google doesn’t know is missing, as is somebody else’s; an answer about another, or of another kind, is none', async () => {
  const missing = { status: 'missing' } as const
  expect([await pollOf({}), await pollOf({}, operation)]).toEqual([missing, missing])
  const invalid = json(400, fault('invalid_request', undefined, { message: 'Invalid interaction name: v1_abc' }))
  expect(await pollOf({ [`interactions/${id}`]: invalid })).toEqual(missing)
  expect(await pollOf({ [`interactions/${id}`]: json(200, { id, status: 'completed' }) })).toEqual(missing)
  expect(await pollOf({ [`interactions/${id}`]: told('completed', { labels: { attempt: 'at_2' } }) })).toEqual(missing)
  for (const answer of [
    ...[json(400, fault(400, 'INVALID_ARGUMENT')), json(401, fault(401)), json(403, fault(403)), json(404, {}), json(429, fault(429))],
    ...[json(500, fault(500)), json(200, {}), told('completed', { id: 'v1_other' }), json(200, { name: `${name}2` })],
  ]) {
    await expect(pollOf({ [`interactions/${id}`]: answer })).rejects.toThrow(ProviderTrouble)
    await expect(pollOf({ [name]: answer }, operation)).rejects.toThrow(ProviderTrouble)
  }
})

test('one without an answer voids no other', async () => {
  const { provider } = answering({ [name]: json(200, { name }), [`interactions/${id}`]: json(500, {}) })
  expect(await provider.poll([interaction, operation], signal)).toEqual([undefined, { status: 'running' }])
})

test('whose an interaction is can be asked, whose an operation is can’t, and what is no id is asked of nobody', async () => {
  const { provider, asked } = answering({ [name]: json(200, { name }), [`interactions/${id}`]: told('in_progress') })
  expect(await provider.identify(interaction, signal)).toEqual({ attemptId })
  expect(await provider.identify(operation, signal)).toEqual({ attemptId: null })
  expect(await provider.identify({ ...operation, providerTaskId: 'v1_unknown' }, signal)).toBeUndefined()
  const before = asked.length
  for (const providerTaskId of ['../models', 'a b', 'models/x/operations', ''])
    expect(await provider.identify({ ...operation, providerTaskId }, signal)).toBeUndefined()
  expect([asked.length, provider.lookUp]).toEqual([before, undefined])
})

test('an output comes from the public internet, and the key is for Google’s own origin', () => {
  const { outputOrigins, outputCredential } = connectGoogle({
    url: 'https://generativelanguage.googleapis.com/v1beta',
    key: 'the-key',
    ...bounds,
  })
  expect(outputOrigins).toEqual([])
  const origin = 'https://generativelanguage.googleapis.com'
  expect(outputCredential).toEqual({ origin, header: 'x-goog-api-key', value: 'the-key' })
  const fake = connectGoogle({ url: 'http://127.0.0.1:4105/google/v1beta', key: 'the-key', ...bounds })
  expect(fake.outputOrigins).toEqual([{ origin: 'http://127.0.0.1:4105' }])
})

test('a key is checked by a list of models, of which one is enough', async () => {
  const checked = async (answer: Response) => {
    const { provider, asked } = answeringAll(answer)
    const result = await provider.checkKey(signal)
    expect(asked).toMatchObject([{ method: 'GET', path: '/v1beta/models?pageSize=1', key: 'the-key' }])
    return result
  }
  expect(await checked(json(200, { models: [] }))).toBe('accepted')
  for (const status of [401, 403]) expect(await checked(json(status, fault(status)))).toBe('refused')
  expect(await checked(json(400, fault(400, 'INVALID_ARGUMENT', { details: [{ reason: 'API_KEY_INVALID' }] })))).toBe('refused')
  for (const answer of [json(400, fault(400)), json(500, {}), json(429, {}), new Response('<html>', { status: 200 })])
    await expect(checked(answer)).rejects.toThrow(ProviderTrouble)
})
