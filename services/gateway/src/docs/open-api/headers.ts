import type { Schema } from '../../rules/json-schema'

const header = (description: string, example: string | number, schema: Schema = { type: 'string' }) => ({
  description,
  schema,
  example,
})
const named = (name: string) => ({ $ref: `#/components/headers/${name}` })

/** Every header of an answer that means something to a client. */
export const headers: Schema = {
  'X-Request-Id': header('Names this answer: tell it when you ask us about one.', '4bf92f3577b34da6a3ce929d0e0e4736', {
    type: 'string',
    pattern: '^[0-9a-f]{32}$',
  }),
  RateLimit: header('Requests left, and seconds until the next one comes back.', '"requests";r=29;t=60'),
  'RateLimit-Policy': header('Requests in a window of seconds.', '"requests";q=30;w=60'),
  'Retry-After': header('Whole seconds to wait.', 10, { type: 'integer', minimum: 1 }),
  'Idempotent-Replayed': header('The answer is that of an earlier request.', 'true', { const: 'true' }),
  'Preference-Applied': header('For how long the answer was held at most.', 'wait=60'),
  'WWW-Authenticate': header('How to authenticate.', 'Bearer realm="filmgate"'),
  'OpenAI-Poll-After-Ms': header('While the video is made: when to read it again. OpenAI’s clients obey it.', '10000'),
  Location: header('Where the file is, for whoever has this address.', 'https://videos.example.com/outputs/06a7xk2m9rtw3yqg5hbn8cdz4e.mp4'),
  'X-Should-Retry': header('`false`: OpenAI’s clients do not send the request again.', 'false', { const: 'false' }),
  ETag: header('Changes with the answer. Send it as If-None-Match.', '"1f3a9c5d7e2b4680"'),
  Link: header('With CSV: the next page, rel="next".', '<?cursor=WyIyMDI2Il0>; rel="next"'),
}

export const refsTo = (...names: string[]): Schema => Object.fromEntries(names.map(name => [name, named(name)]))

/** On every answer to a request with a key. */
export const usualHeaders = refsTo('X-Request-Id', 'RateLimit', 'RateLimit-Policy')
