import { expect, test } from 'bun:test'
import { create, type MessageInitShape, toJson } from '@bufbuild/protobuf'
import { FieldKind, FieldSchema } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { checkRequest } from './check-request'
import { orderOf } from './order-of'
import { testCard, testCatalog } from './testing/cards'

type FieldInit = MessageInitShape<typeof FieldSchema>

/** The order of a body for the test card, whose text-to-video has these fields beside its own. */
function orderWith(fields: FieldInit[], body: object): Record<string, unknown> {
  const card = testCard()
  card.modes[0]?.fields.push(...fields.map(field => create(FieldSchema, field)))
  const checked = checkRequest(testCatalog(card), { prompt: 'a boat', ...body })
  if (!checked.ok) throw new Error(JSON.stringify(checked.issues))
  const order = orderOf(checked.model, checked.request, checked.model.price(checked.request))
  return toJson(OrderSchema, create(OrderSchema, order)) as Record<string, unknown>
}

test('a field that nothing here names is in the order, whatever its kind, and its default where it is left out', () => {
  const fields: FieldInit[] = [
    { name: 'negative_prompt', kind: FieldKind.TEXT, min: 1n, max: 20n },
    { name: 'guidance', kind: FieldKind.INTEGER, min: 0n, max: 9n },
    { name: 'loop', kind: FieldKind.BOOLEAN, default: { value: { case: 'boolean', value: false } } },
    { name: 'style', kind: FieldKind.CHOICE, choices: ['plain', 'rich'] },
  ]
  const body = { negative_prompt: ' rain ', guidance: 0, loop: true, style: 'rich', max_credits: 100 }
  const limit = { name: 'max_credits', kind: FieldKind.INTEGER, min: 1n, max: 1_000n }
  expect(orderWith([...fields, limit], body).values).toEqual({
    negative_prompt: { text: 'rain' },
    guidance: { integer: '0' },
    loop: { boolean: true },
    style: { text: 'rich' },
  })
  expect(orderWith(fields, {}).values).toEqual({ loop: { boolean: false } })
})

test('fields with a place of their own in an order are there and nowhere else', () => {
  const fields: FieldInit[] = [
    { name: 'aspect_ratio', kind: FieldKind.CHOICE, choices: ['16:9'] },
    { name: 'seed', kind: FieldKind.INTEGER, min: 0n, max: 9n },
    { name: 'watermark', kind: FieldKind.BOOLEAN },
  ]
  const order = orderWith(fields, { duration: 6, aspect_ratio: '16:9', seed: 7, watermark: true, generate_audio: true })
  expect(order).toMatchObject({ prompt: 'a boat', durationSeconds: 6, resolution: '480p', aspectRatio: '16:9', seed: '7' })
  expect(order).toMatchObject({ watermark: true, generateAudio: true })
  expect(order.values).toBeUndefined()
})
