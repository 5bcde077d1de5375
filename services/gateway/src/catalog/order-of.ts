import type { MessageInitShape } from '@bufbuild/protobuf'
import { FieldKind } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import type { InputMediaSchema, OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { scalarOf } from '@filmgate/proto/scalar'
import type { CompiledModel } from './compile-card'
import type { CompiledMode } from './compile-mode'
import type { Price } from './compile-price'
import type { GenerationRequest } from './request'

type OrderInit = MessageInitShape<typeof OrderSchema>
/** What an order says of the video; who asked, for which task and until when is for the caller to add. */
export type OrderOfRequest = Omit<OrderInit, '$typeName' | 'taskId' | 'accountId' | 'keyId' | 'surface' | 'createdAt' | 'admitBy'>

/**
 * A checked request and its price as the order that every service behind the gateway reads. What is not taken out of the request by name
 * here travels by its kind, so that a field of a later card is never left behind.
 */
export function orderOf(model: CompiledModel, request: GenerationRequest, price: Price): OrderOfRequest {
  const mode = model.modeOf(request)
  const { prompt, duration, resolution, aspect_ratio, seed, generate_audio, watermark, max_credits: _judgedHere, ...others } = request
  return {
    model: request.model,
    mode: request.mode,
    prompt,
    durationSeconds: duration,
    resolution,
    aspectRatio: aspect_ratio ?? 'adaptive',
    ...(seed !== undefined && { seed: BigInt(seed) }),
    ...(generate_audio !== undefined && { generateAudio: generate_audio }),
    watermark: watermark ?? false,
    values: valuesOf(mode, others),
    inputs: inputsOf(mode, request),
    mediaLimits: mode.mode.mediaLimits,
    credits: BigInt(price.credits),
    priceVersion: price.priceVersion,
    cardVersion: model.card.cardVersion,
    billedSeconds: price.billedSeconds,
    prices: model.card.pricing?.rows ?? [],
  }
}

/** Where an order carries a field of each kind: by itself in `values`, or as URLs in `inputs`, which have the declared seconds beside them. */
const placeOf: Record<FieldKind, 'values' | 'inputs'> = {
  [FieldKind.UNSPECIFIED]: 'values',
  [FieldKind.TEXT]: 'values',
  [FieldKind.INTEGER]: 'values',
  [FieldKind.BOOLEAN]: 'values',
  [FieldKind.CHOICE]: 'values',
  [FieldKind.URL]: 'inputs',
  [FieldKind.URL_LIST]: 'inputs',
  [FieldKind.SECONDS_LIST]: 'inputs',
}

function valuesOf({ mode }: CompiledMode, values: Record<string, unknown>): NonNullable<OrderInit['values']> {
  const own = mode.fields.flatMap(({ name, kind }) => {
    const value = placeOf[kind] === 'values' ? values[name] : undefined
    return value === undefined ? [] : [[name, scalarOf(value as string | number | boolean)] as const]
  })
  return Object.fromEntries(own)
}

/** The URLs of a request, each with its field and its place there. */
export function inputsOf({ mode }: CompiledMode, request: GenerationRequest): MessageInitShape<typeof InputMediaSchema>[] {
  const values: Record<string, unknown> = request
  return mode.fields.flatMap(({ name, kind, mediaKind }) => {
    const urls = kind === FieldKind.URL ? [values[name]] : kind === FieldKind.URL_LIST ? ((values[name] as string[] | undefined) ?? []) : []
    const declaring = mode.fields.find(field => field.secondsOf === name)?.name
    const seconds = declaring ? ((values[declaring] as number[] | undefined) ?? []) : []
    return urls.flatMap((url, index) =>
      typeof url === 'string' ? [{ kind: mediaKind, field: name, index, url, declaredSeconds: seconds[index] ?? 0 }] : [],
    )
  })
}
