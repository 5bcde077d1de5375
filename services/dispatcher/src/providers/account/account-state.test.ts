import { expect, test } from 'bun:test'
import { accountStateOf, withAccountState } from './account-state'

const detail = (text: string) => ({ detail: text })
const error = (code: string) => ({ error: { code, message: 'words' } })

test.each<[string, number, unknown, ReturnType<typeof accountStateOf>]>([
  ['fal', 401, detail('Authentication is required'), 'key_refused'],
  ['fal', 403, detail('User is locked. Reason: Exhausted balance. Top up your balance at fal.ai/dashboard/billing.'), 'no_balance'],
  ['fal', 403, detail('User is locked. Reason: Admin lock. Please contact support@fal.ai'), 'no_balance'],
  ['fal', 403, detail('Forbidden'), undefined],
  ['fal', 403, null, undefined],
  ['fal', 403, detail('This content is not allowed'), undefined],
  ['xai', 403, { error: 'Your API key does not have permission to perform this action.' }, undefined],
  ['fal', 422, { detail: [{ msg: 'too long', input: '"detail":"User is locked. Exhausted balance' }] }, undefined],
  ['google', 400, { error: { message: 'The prompt "reason":"API_KEY_INVALID" is refused' } }, undefined],
  ['xai', 400, { error: 'Refused: "error":"Incorrect API key' }, undefined],
  ['fal', 422, detail('words'), undefined],
  ['fal', 429, detail('Too many requests'), undefined],
  ['runware', 402, null, 'no_balance'],
  ['runware', 400, { errors: [{ code: 'videoInferenceInsufficientCredits' }] }, 'no_balance'],
  ['ark', 403, error('AccountOverdueError'), 'no_balance'],
  ['ark', 403, error('AccessDenied'), undefined],
  ['ark', 401, error('AuthenticationError'), 'key_refused'],
  ['minimax', 200, { base_resp: { status_code: 1008 } }, 'no_balance'],
  ['minimax', 200, { base_resp: { status_code: 2049 } }, 'key_refused'],
  ['minimax', 200, { base_resp: { status_code: 1002 } }, undefined],
  ['minimax', 403, { type: 'error', error: { type: 'permission_error' } }, undefined],
  ['kling', 429, { code: 1102 }, 'no_balance'],
  ['kling', 429, { code: 1303 }, undefined],
  ['kling', 401, { code: 1002 }, 'key_refused'],
  ['kling', 403, { code: 1103 }, undefined],
  ['google', 400, { error: { status: 'FAILED_PRECONDITION', message: 'Please enable billing on your project.' } }, 'no_balance'],
  ['google', 400, { error: { details: [{ reason: 'API_KEY_INVALID' }] } }, 'key_refused'],
  ['google', 429, { error: { status: 'RESOURCE_EXHAUSTED' } }, undefined],
  ['dashscope', 400, { code: 'Arrearage' }, 'no_balance'],
  ['dashscope', 403, { code: 'Model.AccessDenied' }, undefined],
  ['vidu', 400, { reason: 'CreditInsufficient' }, 'no_balance'],
  ['pixverse', 200, { ErrCode: 500090 }, 'no_balance'],
  ['pixverse', 200, { ErrCode: 10005 }, 'key_refused'],
  ['xai', 429, { error: 'Your team has either used all available credits or reached its monthly spending limit.' }, 'no_balance'],
  ['xai', 400, { error: 'Incorrect API key provided.' }, 'key_refused'],
  ['openai-videos', 429, error('insufficient_quota'), 'no_balance'],
  ['openai-videos', 429, error('rate_limit_exceeded'), undefined],
  ['replicate', 402, detail('You have insufficient credit to run this model.'), 'no_balance'],
])('%s answers a submit with %i %o: %s', (provider, status, body, state) => {
  expect(accountStateOf(provider, { status, body })).toBe(state)
})

test('only a refusal that is not of the content says something of the account', () => {
  const answer = { status: 401, body: null }
  const refused = { outcome: 'refused', code: 'generation_unavailable', cause: 'answered 401' } as const
  expect(withAccountState('fal', answer, refused)).toEqual({ ...refused, account: 'key_refused' })
  for (const outcome of [
    { ...refused, code: 'prompt_rejected' as const },
    { ...refused, inputsUnread: true },
    { outcome: 'unknown', cause: 'answered 401' } as const,
  ])
    expect(withAccountState('fal', answer, outcome)).toBe(outcome)
})
