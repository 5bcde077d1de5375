import { accept, type Body, type Case, parseChoice, refuse, type Subject, url } from './case'
import { durationOf } from './subjects'

/** Lowest, highest, the next ones outside, every member, every default and the wrong types of each field. */
export function fieldCases(subject: Subject): Case[] {
  return [
    ...promptCases(subject),
    ...durationCases(subject),
    ...choiceCases(subject, 'resolution', subject.specified.resolution),
    ...choiceCases(subject, 'aspect_ratio', subject.specified.ratio),
    ...integerCases(subject, 'max_credits', 1, Number.MAX_SAFE_INTEGER),
    ...optionalFieldCases(subject),
    ...frameCases(subject),
    ...modeCases(subject),
  ]
}

function promptCases(subject: Subject): Case[] {
  const max = subject.model.promptMax
  return [
    accept(subject, 'shortest prompt', { prompt: 'x' }),
    accept(subject, 'longest prompt', { prompt: 'x'.repeat(max) }),
    accept(subject, 'white space around a prompt is not counted', { prompt: `  ${'x'.repeat(max)}\n\n` }, { prompt: 'x'.repeat(max) }),
    accept(subject, 'longest prompt of characters outside the basic plane', { prompt: '🎬'.repeat(max) }),
    refuse(subject, 'prompt one too long', { prompt: 'x'.repeat(max + 1) }, 'prompt'),
    refuse(subject, 'empty prompt', { prompt: '' }, 'prompt'),
    refuse(subject, 'blank prompt', { prompt: ' \t\n ' }, 'prompt'),
    refuse(subject, 'prompt of invisible characters', { prompt: ' \u200b\u200f\u2800\u3164\ufe0f\u00ad\u0085 ' }, 'prompt'),
    refuse(subject, 'no prompt', { prompt: undefined }, 'prompt'),
    refuse(subject, 'prompt that is not text', { prompt: 7 }, 'prompt'),
    refuse(subject, 'prompt with U+0000', { prompt: 'a\0b' }, 'prompt'),
  ]
}

/** What has to be said too for a duration, a resolution or an end frame to be judged alone. */
function companions({ model, mode }: Subject, change: Body): Body {
  if (model.model === 'delta-motion-control' && typeof change.duration === 'number') return { reference_video_durations: [change.duration] }
  if (model.model === 'delta-2.6' && mode === 'image-to-video' && change.end_image_url) return { resolution: '1080p' }
  return {}
}

function durationCases(subject: Subject): Case[] {
  const { values, min, max, fallback } = durationOf(subject)
  const outside = [min - 1, ...values.filter(value => !values.includes(value + 1)).map(value => value + 1)]
  const set = (duration: unknown): Body => ({ ...companions(subject, { duration }), duration })
  return [
    ...(values.length > 4 ? [min, max] : values).map(value => accept(subject, `duration ${value}`, set(value), { duration: value })),
    ...outside.map(value => refuse(subject, `duration ${value}`, { duration: value }, 'duration')),
    ...(fallback === undefined ? [] : [accept(subject, 'no duration', {}, { duration: fallback })]),
    ...[min + 0.5, String(min), null, [min]].map(value =>
      refuse(subject, `duration ${JSON.stringify(value)}`, { duration: value }, 'duration'),
    ),
  ]
}

function choiceCases(subject: Subject, field: string, text: string): Case[] {
  const { values, fallback } = parseChoice(text)
  const near = values.flatMap(value => [value.toUpperCase(), `${value} `]).filter(value => !values.includes(value))
  return [
    ...values.map(value => accept(subject, `${field} ${value}`, { [field]: value }, { [field]: value })),
    ...[...new Set([...near.slice(0, 2), 'best', ''])].map(value =>
      refuse(subject, `${field} ${JSON.stringify(value)}`, { [field]: value }, field),
    ),
    accept(subject, `no ${field}`, {}, { [field]: fallback }),
    refuse(subject, `${field} null`, { [field]: null }, field),
  ]
}

function integerCases(subject: Subject, field: string, min: number, max: number): Case[] {
  return [
    accept(subject, `lowest ${field}`, { [field]: min }, { [field]: min }),
    accept(subject, `highest ${field}`, { [field]: max }, { [field]: max }),
    refuse(subject, `${field} below`, { [field]: min - 1 }, field),
    refuse(subject, `${field} above`, { [field]: max + 1 }, field),
    refuse(subject, `${field} as text`, { [field]: String(min) }, field),
    refuse(subject, `${field} with a fraction`, { [field]: min + 0.5 }, field),
  ]
}

function optionalFieldCases(subject: Subject): Case[] {
  const { common, seed } = subject.model
  const flag = (field: string): Case[] =>
    common.includes(field) || subject.specified.optional.includes(field)
      ? [
          accept(subject, `${field} on`, { [field]: true }, { [field]: true }),
          accept(subject, `${field} off`, { [field]: false }, { [field]: false }),
          accept(subject, `no ${field}`, {}, { [field]: false }),
          refuse(subject, `${field} as text`, { [field]: 'true' }, field),
        ]
      : [refuse(subject, `${field} is not taken`, { [field]: true }, field, 'unsupported_field')]
  return [
    ...flag('watermark'),
    ...flag('generate_audio'),
    ...(seed ? integerCases(subject, 'seed', ...seed) : [refuse(subject, 'seed is not taken', { seed: 7 }, 'seed', 'unsupported_field')]),
    refuse(subject, 'a misspelt property', { durations: 5 }, 'durations', 'unsupported_field'),
    refuse(subject, 'an unknown property', { callback_url: url() }, 'callback_url', 'unsupported_field'),
  ]
}

/** What needs no download to be seen. */
const urlsOfAnotherKind = [
  'https://media.example.com:8443/a.png',
  'https://a:b@media.example.com/a.png',
  'https://media.example.com/a.png#t=1',
  'https://localhost/a.png',
  'https://media.example.com/ü.png',
  'https://bücher.example/a.png',
  'https://10.0.0.1/a.png',
  'https://[::1]/a.png',
  'https://0x7f.1/a.png',
  'https://2130706433/a.png',
  'https://printer.local/a.png',
]

function frameCases(subject: Subject): Case[] {
  const { required, optional } = subject.specified
  return ['image_url', 'end_image_url'].flatMap(field => {
    if (!required.includes(field) && !optional.includes(field))
      return [refuse(subject, `${field} is not taken`, { [field]: url() }, field, 'unsupported_field')]
    const set = (value: unknown): Body => ({ ...companions(subject, { [field]: value }), [field]: value })
    return [
      ...(required.includes(field) ? [refuse(subject, `no ${field}`, { [field]: undefined }, field)] : []),
      accept(subject, `${field} of 2048 characters`, set(url(2048))),
      refuse(subject, `${field} of 2049 characters`, set(url(2049)), field),
      accept(subject, `${field} with HTTPS in capitals`, set('HTTPS://media.example.com/a.png')),
      ...['http://media.example.com/a.png', 'data:image/png;base64,AAAA', '//media.example.com/a', '', 7, null].map(value =>
        refuse(subject, `${field} ${JSON.stringify(value)}`, set(value), field),
      ),
      accept(subject, `${field} on port 443 spelled out`, set('https://media.example.com:443/a.png')),
      accept(subject, `${field} in a bucket with an underscore`, set('https://my_bucket.storage.example.com/a.png')),
      ...urlsOfAnotherKind.map(value => refuse(subject, `${field} ${JSON.stringify(value)}`, set(value), field)),
    ]
  })
}

function modeCases(subject: Subject): Case[] {
  const { model, mode } = subject
  const others = ['text-to-video', 'image-to-video', 'media-to-video'].filter(name => !model.modes[name])
  return [
    model.defaultMode === mode
      ? accept(subject, 'no mode', { mode: undefined }, { mode })
      : model.defaultMode === undefined && refuse(subject, 'no mode', { mode: undefined }, 'mode'),
    ...[...others, 'video', null, 3].map(value => refuse(subject, `mode ${JSON.stringify(value)}`, { mode: value }, 'mode')),
  ].filter(each => each !== false)
}
