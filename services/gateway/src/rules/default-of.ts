import type { Field } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { scalarValue } from '@filmgate/proto/scalar'

/** What a field is that a request leaves out; undefined where it stays out. */
export const defaultOf = (field: Field | undefined) => field?.default && scalarValue(field.default)
