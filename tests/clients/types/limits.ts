import type { Random } from '../../support/random'
import { type Body, rightBody, type Subject } from './right-bodies'

type Limit = (subject: Subject, body: Body) => Body | undefined

/** What types can't refuse, as clients/README.md lists it: the API does. Each makes a wrong body that compiles in both languages. */
const limits: Record<string, Limit> = {
  'a prompt without a visible character': (_, body) => ({ ...body, prompt: ' ' }),
  'a prompt that is too long': (_, body) => ({ ...body, prompt: 'x'.repeat(7_001) }),
  'a URL that is not https, or of a private host': (_, body) =>
    body.image_url ? { ...body, image_url: 'http://10.0.0.1/boat.jpg' } : undefined,
  'a long range of integers': (_, body) => ({ ...body, max_credits: 0 }),
  'too many items': ({ mode }, body) => {
    const field = listOf(body)
    const properties = mode.schema.properties as Record<string, { maxItems?: number }>
    return field
      ? { ...body, [field]: Array.from({ length: (properties[field]?.maxItems ?? 0) + 1 }, () => 'https://media.example.com/1.jpg') }
      : undefined
  },
  'an empty list where one is required': ({ name }, body) => {
    const lists = Object.keys(body).filter(field => Array.isArray(body[field]))
    return name === 'media-to-video' ? { ...body, ...Object.fromEntries(lists.map(field => [field, []])) } : undefined
  },
  'lengths that are fewer or more than the files': (_, body) => ofLengths(body, lengths => [...lengths, 5]),
  'a length out of its range': (_, body) => ofLengths(body, lengths => lengths.map(() => 400)),
}

const triesMax = 2_000

/** A body of each limit: of any subject that has a place for it. */
export function bodiesBeyondTypes(subjects: Subject[], random: Random, isRight: (body: Body) => boolean): Body[] {
  return Object.entries(limits).map(([name, limit]) => {
    for (let tries = 0; tries < triesMax; tries += 1) {
      const subject = random.oneOf(subjects)
      const body = limit(subject, rightBody(subject, random, isRight))
      if (body && !isRight(body)) return body
    }
    throw new Error(`no model has a place for ${name}`)
  })
}

const listOf = (body: Body) => Object.keys(body).find(field => field.endsWith('_urls'))

function ofLengths(body: Body, change: (lengths: number[]) => number[]): Body | undefined {
  const field = Object.keys(body).find(name => name.endsWith('_durations'))
  return field ? { ...body, [field]: change(body[field] as number[]) } : undefined
}
