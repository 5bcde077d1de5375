import { type Static, Type } from '@sinclair/typebox'

/**
 * What the gateway asks media-probe about an upload. `url`: signed, which proves the right to read it. The console asks the gateway alike, with
 * the URL of requests.
 */
export const UploadQuestion = Type.Object({
  url: Type.String({ maxLength: 4_096 }),
  kind: Type.Union([Type.Literal('image'), Type.Literal('video'), Type.Literal('audio')]),
  /** Of this kind, as `media_limits` of `GET /models` has them. */
  limits: Type.Record(Type.String(), Type.Unknown()),
})
export type UploadQuestion = Static<typeof UploadQuestion>

/** `declared_seconds`: the length as requests declare it. 0 where the kind has no such property. */
export const UploadVerdict = Type.Union([
  Type.Object({
    verdict: Type.Literal('fits'),
    ...{ width: Type.Number(), height: Type.Number(), seconds: Type.Number(), declared_seconds: Type.Integer() },
  }),
  Type.Object({ verdict: Type.Literal('rejected'), code: Type.String(), message: Type.String() }),
])
export type UploadVerdict = Static<typeof UploadVerdict>
