import type { Field, Scalar } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'

/** A value of a card as JSON has it. */
export const scalarValue = (scalar: Scalar): string | number | boolean | undefined =>
  scalar.value.case === 'integer' ? Number(scalar.value.value) : scalar.value.value

/** What a field is that a request leaves out; undefined where it stays out. */
export const defaultOf = (field: Field | undefined) => field?.default && scalarValue(field.default)
