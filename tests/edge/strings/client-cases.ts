import { settings } from '../../support/settings'
import { hostileEncodings, hostileTexts } from './hostile-texts'
import { type ClientRoute, clientUrl } from './routes'
import type { Case } from './send'
import type { Stage } from './stage'
import { type Body, type Schema, smallestBody, stringFields, withField } from './string-fields'

type Model = { id: string; modes: Record<string, { schema: Schema }> }

/** Each text in each string of the clients' bodies, in every shape that the catalog publishes, and in each parameter of their queries. */
export async function clientCases(stage: Stage, clients: ClientRoute[]): Promise<Case[]> {
  const headers = { authorization: `Bearer ${stage.account.apiKey}`, 'content-type': 'application/json' }
  const { data } = (await (await fetch(`${settings.url}/models`, { headers })).json()) as { data: Model[] }
  const shapes: { schema: Schema; body: Body }[] = data.flatMap(({ id, modes }) =>
    Object.entries(modes).map(([mode, { schema }]) => ({ schema, body: { ...smallestBody(schema, known), model: id, mode } })),
  )
  const texts = hostileTexts.filter(text => !stage.short || text.short)
  const seen = new Set<string>()
  const bodies = clients
    .filter(({ reads }) => reads)
    .flatMap(({ method, path, body: own }) =>
      (own ? [{ schema: own, body: smallestBody(own, known) }] : shapes).flatMap(({ schema, body }) =>
        [...named(schema), ...unknownField].flatMap(field => {
          // What a taken body costs is a generation; of those one shape of each field is enough.
          const once = `${path} ${field.name}`
          if ((path !== '/video/estimate' || stage.short) && seen.has(once)) return []
          seen.add(once)
          return texts.map(({ name, text }) => ({
            name: `${method} ${path}, ${body.model ?? ''} ${body.mode ?? ''}, ${field.name} is ${name}`,
            method,
            url: clientUrl(path.replace('{id}', 'nobody')),
            headers: { ...headers, 'idempotency-key': crypto.randomUUID() },
            body: JSON.stringify(withField(body, field, text)),
            route: `${method} ${path}`,
          }))
        }),
      ),
    )
  return [...bodies, ...keyCases(texts, shapes[0]?.body ?? {}, headers), ...queryCases(stage, clients, headers)]
}

const url = 'https://media.example/a'
const known: Body = { url, prompt: 'x', image_url: `${url}.png`, end_image_url: `${url}.png` }
const unknownField = [{ name: 'no_such_field', inList: false, schema: {} }]

/** Strings of a shape, with those that every generation has and schemas say as constants. */
const named = (schema: Schema) => {
  const fields = stringFields(schema)
  const missing = ['model', 'mode'].filter(name => !fields.some(field => field.name === name))
  return [...fields, ...missing.map(name => ({ name, inList: false, schema: {} }))]
}

/** A text as the name of a field. */
const keyCases = (texts: typeof hostileTexts, body: Body, headers: Record<string, string>): Case[] =>
  texts.map(({ name, text }) => ({
    name: `POST /video/estimate, a field named ${name}`,
    method: 'POST',
    url: `${settings.url}/video/estimate`,
    headers,
    body: JSON.stringify({ ...body, [text]: 1 }),
    route: 'POST /video/estimate',
  }))

const queryCases = ({ short }: Stage, clients: ClientRoute[], headers: Record<string, string>): Case[] =>
  clients.flatMap(route => {
    const parameters = route.parameters.filter(parameter => parameter.in === 'query').map(({ name }) => name)
    if (parameters.length === 0) return []
    return hostileEncodings
      .filter(text => !short || text.short)
      .flatMap(({ name, text }) =>
        [...parameters.map(parameter => `${parameter}=${text}`), `${text}=1`].map(query => ({
          name: `${route.method} ${route.path}, query of ${name}: ${query.slice(0, 40)}`,
          method: route.method,
          url: `${clientUrl(route.path.replace('{id}', 'vt_nobody'))}?${query}`,
          headers,
          route: `${route.method} ${route.path}`,
        })),
      )
  })
