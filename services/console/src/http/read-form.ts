import { Failure } from '@filmgate/kit/failure'
import { readBody } from '@filmgate/kit/request/read-json'
import { isText } from '@filmgate/kit/request/text'
import type { Reason } from '../errors'

/** The fields of a urlencoded form, at most 64 KiB. A missing field is ''. */
export type FormFields = {
  get(name: string): string
  all(name: string): string[]
  has(name: string): boolean
}

export async function readForm(request: Request): Promise<FormFields> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/x-www-form-urlencoded *(;|$)/i.test(type)) throw new Failure<Reason>('invalid_form')
  const fields = new URLSearchParams(new TextDecoder().decode(await readBody(request)))
  for (const [name, value] of fields) if (!isText(name) || !isText(value)) throw new Failure<Reason>('invalid_form')
  return { get: name => (fields.get(name) ?? '').trim(), all: name => fields.getAll(name), has: name => fields.has(name) }
}
