import type { References } from '../models/specified-models'
import { accept, type Body, type Case, refuse, type Subject, url, urls } from './case'

type Timed = { urls: string; durations: string; count: number; min: number; max: number; sum: number }

/** Counts, lengths and sums of each kind of reference, both ways, and that a mode without them takes none. */
export function referenceCases(subject: Subject): Case[] {
  const { references = {} } = subject.specified
  const timed = timedOf(references)
  const taken = [...(references.images ? ['reference_image_urls'] : []), ...timed.flatMap(each => [each.urls, each.durations])]
  const notTaken = allFields.filter(field => !taken.includes(field))
  return [
    ...notTaken.map(field => refuse(subject, `${field} is not taken`, { [field]: [] }, field, 'unsupported_field')),
    ...imageCases(subject, references.images ?? 0),
    ...timed.flatMap(each => timedCases(subject, each)),
    ...(subject.mode === 'media-to-video' ? noneCases(subject, taken) : []),
  ]
}

const allFields = [
  'reference_image_urls',
  'reference_video_urls',
  'reference_video_durations',
  'reference_audio_urls',
  'reference_audio_durations',
]

function timedOf({ videos, audio }: References): Timed[] {
  const made = (kind: string, [count, each, sum]: [number, string, number]): Timed => {
    const [min = 0, max = 0] = each.split('-').map(Number)
    return { urls: `reference_${kind}_urls`, durations: `reference_${kind}_durations`, count, min, max, sum }
  }
  return [...(videos ? [made('video', videos)] : []), ...(audio ? [made('audio', audio)] : [])]
}

function imageCases(subject: Subject, count: number): Case[] {
  if (count === 0) return []
  const field = 'reference_image_urls'
  return [
    accept(subject, 'one reference image', { [field]: urls(1) }),
    accept(subject, 'the most reference images', { [field]: urls(count) }),
    refuse(subject, 'one reference image too many', { [field]: urls(count + 1) }, field),
    accept(subject, 'a reference of 2048 characters', { [field]: [url(2048)] }),
    refuse(subject, 'a reference of 2049 characters', { [field]: [url(2049)] }, `${field}[0]`),
    refuse(subject, 'a reference that is not https', { [field]: ['ftp://media.example.com/a.png'] }, `${field}[0]`),
    refuse(subject, 'a reference that is not text', { [field]: [null] }, `${field}[0]`),
    refuse(subject, 'references that are no list', { [field]: url() }, field),
  ]
}

function timedCases(subject: Subject, timed: Timed): Case[] {
  const { count, min, max, sum } = timed
  const set = (seconds: number[], files = seconds.length): Body => ({ [timed.urls]: urls(files), [timed.durations]: seconds })
  const most = Array.from({ length: Math.min(count, Math.floor(sum / min)) }, () => min)
  const atSum = spread(sum, min, max, count)
  const aboveSum = spread(sum + 1, min, max, count)
  return [
    accept(subject, `${timed.urls}: shortest`, set([min])),
    accept(subject, `${timed.urls}: longest`, set([max])),
    accept(subject, `${timed.urls}: as many as there may be`, set(most)),
    refuse(subject, `${timed.urls}: one too many`, set(Array.from({ length: count + 1 }, () => min)), timed.urls),
    refuse(subject, `${timed.urls}: too short`, set([min - 1]), `${timed.durations}[0]`),
    refuse(subject, `${timed.urls}: too long`, set([max + 1]), `${timed.durations}[0]`),
    refuse(subject, `${timed.urls}: a length with a fraction`, set([min + 0.5]), `${timed.durations}[0]`),
    refuse(subject, `${timed.urls}: no lengths`, { [timed.urls]: urls(1), [timed.durations]: undefined }, timed.durations),
    refuse(subject, `${timed.urls}: a length too many`, set([min, min], 1), timed.durations),
    refuse(subject, `${timed.urls}: a length too few`, { [timed.urls]: urls(1), [timed.durations]: [] }, timed.durations),
    ...(atSum ? [accept(subject, `${timed.urls}: ${sum} s together`, set(atSum))] : []),
    ...(aboveSum ? [refuse(subject, `${timed.urls}: ${sum + 1} s together`, set(aboveSum), timed.durations)] : []),
  ]
}

function noneCases(subject: Subject, taken: string[]): Case[] {
  const nothing = Object.fromEntries(taken.map(field => [field, undefined]))
  const empty = Object.fromEntries(taken.map(field => [field, []]))
  return [
    refuse(subject, 'no references', nothing, 'reference_image_urls'),
    refuse(subject, 'empty references', empty, 'reference_image_urls'),
  ]
}

/** A total as at most `count` whole numbers from min to max, or undefined where there is no way. */
function spread(total: number, min: number, max: number, count: number): number[] | undefined {
  for (let parts = 1; parts <= count; parts++) {
    if (total < parts * min || total > parts * max) continue
    const values = Array.from({ length: parts }, () => min)
    let left = total - parts * min
    for (let index = 0; index < parts; index++) {
      const more = Math.min(left, max - min)
      values[index] = min + more
      left -= more
    }
    return values
  }
  return undefined
}
