import type { MessageInitShape } from '@bufbuild/protobuf'
import { FieldKind } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import type { InputMediaSchema, OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import type { CompiledModel } from './compile-card'
import type { CompiledMode } from './compile-mode'
import type { Price } from './compile-price'
import type { GenerationRequest } from './request'

type OrderInit = MessageInitShape<typeof OrderSchema>
/** What an order says of the video; who asked, for which task and until when is for the caller to add. */
export type OrderOfRequest = Omit<OrderInit, '$typeName' | 'taskId' | 'accountId' | 'keyId' | 'surface' | 'createdAt' | 'admitBy'>

/** A checked request and its price as the order that every service behind the gateway reads. */
export function orderOf(model: CompiledModel, request: GenerationRequest, price: Price): OrderOfRequest {
  const mode = model.modeOf(request)
  return {
    model: request.model,
    mode: request.mode,
    prompt: request.prompt,
    durationSeconds: request.duration,
    resolution: request.resolution,
    aspectRatio: request.aspect_ratio ?? 'adaptive',
    ...(request.seed !== undefined && { seed: BigInt(request.seed) }),
    ...(request.generate_audio !== undefined && { generateAudio: request.generate_audio }),
    watermark: request.watermark ?? false,
    inputs: inputsOf(mode, request),
    mediaLimits: mode.mode.mediaLimits,
    credits: BigInt(price.credits),
    priceVersion: price.priceVersion,
    cardVersion: model.card.cardVersion,
    billedSeconds: price.billedSeconds,
    prices: model.card.pricing?.rows ?? [],
  }
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
