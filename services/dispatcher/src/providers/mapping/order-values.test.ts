import { expect, test } from 'bun:test'
import { create, type DescField, type MessageInitShape, ScalarType } from '@bufbuild/protobuf'
import { OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { scalarOf } from '@filmgate/proto/scalar'
import { orderValues } from './order-values'

/** What of an order no provider is asked for as a value: whose it is, what it costs, until when it may be sent, and what travels as media. */
const notValues = new Set(
  'task_id account_id key_id member_id surface model mode inputs media_limits credits price_version card_version billed_seconds created_at admit_by prices'.split(
    ' ',
  ),
)

/** A value that an empty order doesn't have. */
const samples = new Map<unknown, unknown>([
  [ScalarType.STRING, 'x'],
  [ScalarType.INT32, 7],
  [ScalarType.INT64, 7n],
  [ScalarType.BOOL, true],
])
const sampleOf = (field: DescField): unknown => (field.name === 'values' ? { mood: scalarOf('calm') } : samples.get(field.scalar))

test('every field of an order that is for its provider is among its values', () => {
  const before = orderValues(create(OrderSchema))
  const silent = OrderSchema.fields
    .filter(({ name }) => !notValues.has(name))
    .filter(field => Bun.deepEquals(orderValues(create(OrderSchema, { [field.localName]: sampleOf(field) })), before))
  expect(silent.map(({ name }) => name)).toEqual([])
})

test('values without a place of their own are said under their names, whatever their kind', () => {
  const values: MessageInitShape<typeof OrderSchema>['values'] = {
    negative_prompt: scalarOf('rain'),
    guidance: scalarOf(7),
    loop: scalarOf(false),
    later: {},
  }
  expect(orderValues(create(OrderSchema, { values })).slice(-4)).toEqual([
    { field: 'negative_prompt', value: 'rain' },
    { field: 'guidance', value: 7 },
    { field: 'loop', value: false },
    { field: 'later', value: undefined },
  ])
})
