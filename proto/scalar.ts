import type { MessageInitShape } from '@bufbuild/protobuf'
import type { Scalar, ScalarSchema } from './gen/filmgate/v1/order_pb'

/** A value as cards and orders carry it. Numbers are whole. */
export const scalarOf = (value: string | number | boolean): MessageInitShape<typeof ScalarSchema> =>
  typeof value === 'string'
    ? { value: { case: 'text', value } }
    : typeof value === 'number'
      ? { value: { case: 'integer', value: BigInt(value) } }
      : { value: { case: 'boolean', value } }

/** The same as JSON has it; undefined for a kind of value that only a later version has. */
export const scalarValue = ({ value }: Scalar): string | number | boolean | undefined =>
  value.case === 'integer' ? Number(value.value) : value.value
