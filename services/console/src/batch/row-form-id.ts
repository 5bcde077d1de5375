import { createHash } from 'node:crypto'

/**
 * The form id of a row: the same for the same request in the same batch, wherever it stands, so that a page that is
 * loaded or checked again makes nothing twice. `repetition` tells equal rows apart. It has the form of a UUIDv7, as all
 * form ids.
 */
export function rowFormId(batchId: string, fields: string, repetition: number): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([batchId, fields, repetition]))
    .digest('hex')
  return [hash.slice(0, 8), hash.slice(8, 12), `7${hash.slice(13, 16)}`, `8${hash.slice(17, 20)}`, hash.slice(20, 32)].join('-')
}
