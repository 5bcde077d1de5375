import { type AnswerHead, invalid } from './answer-head'
import { createChunks } from './chunks'

/** How a body's bytes lie in what arrives, and where it ends. */
export type Framing = {
  /** Bytes that the head says will come; undefined where it says none. */
  declaredBytes: number | undefined
  /** The body's part of these bytes. Throws `answer_invalid`. */
  take(bytes: Buffer): Buffer
  /** All of it has been taken. What comes behind belongs to nobody. */
  done(): boolean
  /** The other side's end is the body's end. */
  endsAtClose: boolean
}

/** RFC 9112, section 6.3, for the answer to a GET. What two readers could frame in two ways is refused. */
export function framingOf({ minorVersion, fields }: AnswerHead): Framing {
  const lengths = (fields.get('content-length') ?? []).flatMap(value => value.split(',')).map(value => value.trim())
  const codings = (fields.get('transfer-encoding') ?? []).join(',').toLowerCase()
  if (codings !== '') {
    if (codings !== 'chunked' || lengths.length > 0 || minorVersion === 0) invalid('a body that is framed in two ways or in an unknown one')
    return { declaredBytes: undefined, endsAtClose: false, ...createChunks() }
  }
  const [length] = lengths
  if (length === undefined) return { declaredBytes: undefined, endsAtClose: true, take: bytes => bytes, done: () => false }
  if (!/^[0-9]{1,15}$/.test(length) || lengths.some(other => other !== length)) invalid('no valid length')
  return counted(Number(length))
}

function counted(declaredBytes: number): Framing {
  let left = declaredBytes
  return {
    declaredBytes,
    endsAtClose: false,
    take(bytes) {
      const part = bytes.subarray(0, left)
      left -= part.length
      return part
    },
    done: () => left === 0,
  }
}
