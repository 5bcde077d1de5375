import { expect, test } from 'bun:test'
import { protocolFaults } from '@filmgate/kit/http/wire/faults'
import { checkRequest } from '../../catalog/check-request'
import { testCard, testCatalog } from '../../catalog/testing/cards'
import { reasons } from '../../errors'
import type { Schema } from '../../rules/json-schema'
import { codesOf, publicCodes } from './error-codes'
import { errorExample } from './error-examples'
import { exampleOf } from './example-of'
import { openApi } from './open-api'

const catalog = testCatalog(testCard(), testCard({ model: 'test-1.0' }), testCard({ model: 'test-10' }))
const { components } = openApi(catalog)
const schemas = components.schemas as Record<string, Schema>

test('the example of each mode is a request that the model takes', () => {
  const card = testCard()
  for (const mode of card.modes) expect(checkRequest(catalog, exampleOf(card, mode))).toMatchObject({ ok: true })
})

test('every code that a client can meet is documented with some operation', () => {
  const documented = new Set<string>(Object.values(codesOf).flat())
  const beforeAnyRoute = Object.keys(protocolFaults)
  expect(publicCodes.filter(code => !documented.has(code)) as string[]).toEqual(['method_not_allowed', ...beforeAnyRoute, 'internal_error'])
})

test('the document describes each refusal with its status and codes', () => {
  const { paths } = openApi(catalog) as unknown as { paths: Record<string, Record<string, { responses: Record<string, unknown> }>> }
  const answers = Object.keys(paths['/video/generations']?.post?.responses ?? {}).toSorted()
  expect(answers).toEqual(['200', '202', '400', '401', '402', '409', '413', '429', '503'])
  expect(reasons.body_too_large[0]).toBe(413)
})

test('each model has a named shape, chosen by model; two that would share a name do not', () => {
  const { discriminator, oneOf } = schemas.VideoGenerationRequest as { discriminator: Schema; oneOf: Schema[] }
  expect(discriminator).toEqual({
    propertyName: 'model',
    mapping: {
      'test-1': '#/components/schemas/Test1Request',
      'test-1.0': '#/components/schemas/Test10Request',
      'test-10': '#/components/schemas/Test10Model2Request',
    },
  })
  expect(oneOf).toEqual(Object.values(discriminator.mapping as Schema).map($ref => ({ $ref })))
  expect([schemas.Test1Request?.required, schemas.Test10Request?.required]).toEqual([['prompt'], ['model', 'prompt']])
})

test('a shape is as wide as its widest mode, and says what each mode narrows', () => {
  const { properties, allOf } = schemas.Test1Request as { properties: Record<string, Schema>; allOf: Schema[] }
  expect(properties.resolution).toEqual({
    $ref: '#/components/schemas/Resolution',
    enum: ['480p', '1080p'],
    description: 'Default: 480p.',
  })
  expect(schemas.Resolution?.enum).toEqual(['480p', '1080p'])
  expect(JSON.stringify(properties)).not.toContain('"default"')
  expect(allOf.map(part => part.if)).toEqual([
    { properties: { mode: { const: 'text-to-video' } }, additionalProperties: true },
    { properties: { mode: { const: 'image-to-video' } }, required: ['mode'], additionalProperties: true },
    { properties: { mode: { const: 'media-to-video' } }, required: ['mode'], additionalProperties: true },
  ])
  const [ofText] = allOf as { then: { properties: Schema } }[]
  expect(ofText?.then.properties).toMatchObject({ reference_image_urls: false, reference_video_urls: false })
})

test('every reference leads somewhere, and nothing is described that nothing refers to', () => {
  const document = JSON.stringify(openApi(catalog))
  const referred = new Set([...document.matchAll(/"#\/components\/([^"]+)"/g)].map(([, name]) => name))
  const there = Object.entries(components).flatMap(([kind, parts]) => Object.keys(parts).map(name => `${kind}/${name}`))
  expect([...referred].toSorted()).toEqual(there.filter(name => !name.startsWith('securitySchemes')).toSorted())
})

test('every property of every answer has a meaning', () => {
  const silent = Object.entries(schemas).flatMap(([name, schema]) =>
    Object.entries((schema.properties ?? {}) as Record<string, Schema>).flatMap(([property, { description, $ref }]) =>
      description || $ref ? [] : [`${name}.${property}`],
    ),
  )
  // The test's own card has fields without one.
  expect(silent.filter(name => !name.startsWith('Test'))).toEqual([])
})

test('the example of each error has the details that are promised with its code', () => {
  expect(errorExample('insufficient_credits').error.details).toEqual({ required_credits: 325, available_credits: 40 })
  expect(errorExample('rate_limited').error).not.toHaveProperty('details')
  expect(Object.keys(errorExample('media_duration').error.details ?? {})).toEqual(['task_id', 'url_index', 'field', 'measured', 'limit'])
})
