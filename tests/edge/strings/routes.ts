import { settings } from '../../support/settings'
import type { Schema } from './string-fields'

/** A route as the service that has it tells. `body` is the schema of what it reads, null where it reads no JSON or a client's request. */
export type Route = { service: string; base: string; method: string; path: string; body: Schema | null }

export type Parameter = { name: string; in: 'path' | 'query' | 'header' }
/** `body`: the schema of what it reads, undefined where it reads no JSON or a generation. */
export type ClientRoute = { method: string; path: string; parameters: Parameter[]; reads: boolean; body?: Schema }

/** Every route of every service that has any for operators, from the services themselves. */
export async function routesOf(service: string, base: string): Promise<Route[]> {
  const response = await fetch(`${base}/operator/routes`, { headers: { authorization: `Bearer ${settings.operatorToken}` } })
  if (!response.ok) throw new Error(`${service} does not tell its routes: ${response.status} ${await response.text()}`)
  const { data } = (await response.json()) as { data: Omit<Route, 'service' | 'base'>[] }
  return data.map(route => ({ service, base, ...route }))
}

type Operation = { parameters?: Parameter[]; requestBody?: { content?: Record<string, { schema: { $ref?: string } }> } }

/** Where a path of the description is: those of OpenAI's API are not below the base of the others. */
export const clientUrl = (path: string): string =>
  path.startsWith('/openai/v1/') ? `${new URL(settings.url).origin}${path}` : `${settings.url}${path}`

/** The clients' routes and their parameters, from the description that clients get. */
export async function clientRoutes(): Promise<ClientRoute[]> {
  const document = (await (await fetch(new URL('/openapi.json', settings.url))).json()) as {
    paths: Record<string, Record<string, Operation>>
    components: { schemas: Record<string, Schema> }
  }
  const bodyOf = ({ requestBody }: Operation) => {
    const name = requestBody?.content?.['application/json']?.schema.$ref?.split('/').at(-1) ?? ''
    return name === 'VideoGenerationRequest' ? undefined : document.components.schemas[name]
  }
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      parameters: operation.parameters ?? [],
      reads: operation.requestBody !== undefined,
      body: bodyOf(operation),
    })),
  )
}
