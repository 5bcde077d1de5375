import { expect, test } from 'bun:test'
import type { Mode } from '../../models/model'
import { buildRequest } from './build-request'

test('a field of a later card is in the request by its type, under its name, and left out where it is empty', () => {
  const properties: Mode['schema']['properties'] = {
    negative_prompt: { type: 'string' },
    guidance: { type: 'integer', minimum: 0, maximum: 9 },
    loop: { type: 'boolean' },
    style: { type: 'string', enum: ['plain', 'rich'] },
  }
  const mode: Mode = { required: [], fields: [], media_limits: null, schema: { properties } }
  const body = { model: 'm', mode: 'text-to-video' }
  const values = { negative_prompt: 'rain', guidance: '0', loop: 'true', style: 'rich' }
  expect(buildRequest('m', 'text-to-video', mode, values)).toEqual({
    ...body,
    negative_prompt: 'rain',
    guidance: 0,
    loop: true,
    style: 'rich',
  })
  expect(buildRequest('m', 'text-to-video', mode, {})).toEqual(body)
})
