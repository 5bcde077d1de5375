import { expect, test } from 'bun:test'
import type { ProviderAnswer } from '../call'
import { outcomeOf } from './verdict'

const id = '424010985738629'
const json = (status: number, body: unknown): ProviderAnswer => ({ status, body })
const coded = (code: number, more: object = { task_id: '' }) =>
  json(200, { ...more, base_resp: { status_code: code, status_msg: 'words' } })
const error = (status: number, type: string, message = 'words') =>
  json(status, { type: 'error', error: { type, message, http_code: String(status) }, request_id: '1' })

test.each<[string, ProviderAnswer]>([
  ['no id', json(200, {})],
  ['an empty id', coded(0)],
  ['an id that no URL can hold', json(200, { task_id: '../../x' })],
  ['an id that is a number', json(200, { task_id: 424010985738629 })],
  ['the id 0', coded(0, { task_id: '0' })],
  ['an id and a code that refuses', coded(1008, { task_id: id })],
  ['an id and an error', json(200, { task_id: id, error: { type: 'bad_request_error', message: 'words (2013)' } })],
  ...[1000, 1001, 1013, 1024, 1027, 1033, 9999].map((code): [string, ProviderAnswer] => [`the code ${code}`, coded(code)]),
  ['a fault of its own with 400', error(400, 'bad_request_error', 'system error (1033)')],
  ['a type that is not of its status', error(400, 'rate_limit_error')],
  ['a refusal in another form', json(400, { message: 'no' })],
  ['404', error(404, 'not_found_error')],
  ['408', error(408, 'bad_request_error', 'words (2013)')],
  ['409', error(409, 'bad_request_error', 'words (2013)')],
  ['500', error(500, 'server_error', 'internal error (1000)')],
  ['500 and a code that refuses', error(500, 'server_error', 'insufficient balance (1008)')],
  ['529', error(529, 'overloaded_error')],
])('a submit that is answered with %s may have been taken', (_, answer) => {
  expect(outcomeOf(answer)).toMatchObject({ outcome: 'unknown' })
})

test('a submit whose task was not taken is refused: its key, its balance, its form, the rate, the content; in either form', () => {
  const refused = (cause: string, code = 'generation_unavailable') => ({ outcome: 'refused', code, cause }) as never
  for (const code of [1002, 1004, 1008, 1028, 1030, 1039, 1041, 1042, 2013, 2038, 2045, 2049, 2056, 2061])
    expect(outcomeOf(coded(code))).toEqual(refused(`answered 200 ${code}`))
  expect(outcomeOf(coded(1026))).toEqual(refused('answered 200 1026', 'prompt_rejected'))
  for (const [status, type, code] of [
    [400, 'bad_request_error', 2013],
    [401, 'authorized_error', 1004],
    [402, 'insufficient_balance_error', 1008],
    [403, 'permission_error', 2061],
    [429, 'rate_limit_error', 1002],
  ] as const) {
    expect(outcomeOf(error(status, type, `invalid (params) (${code})`))).toEqual(refused(`answered ${status} ${code}`))
    expect(outcomeOf(error(status, type))).toEqual(refused(`answered ${status} ${type}`))
  }
  const sensitive = 'video description contains sensitive content'
  expect(outcomeOf(error(422, 'unprocessable_entity_error', `${sensitive} (1026)`))).toMatchObject({ code: 'prompt_rejected' })
  expect(outcomeOf(error(422, 'unprocessable_entity_error', sensitive))).toMatchObject({ code: 'prompt_rejected' })
})
