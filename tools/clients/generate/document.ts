/** JSON Schema 2020-12, as far as the document uses it. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  description?: string
  const?: string | number | boolean
  enum?: (string | number | boolean)[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  if?: Schema
  then?: Schema
  not?: Schema
  properties?: Record<string, Schema | false>
  required?: string[]
  dependentRequired?: Record<string, string[]>
  propertyNames?: Schema
  additionalProperties?: boolean | Schema
  items?: Schema
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  discriminator?: { propertyName: string; mapping: Record<string, string> }
  'x-rules'?: PublishedRule[]
}

/** A rule that JSON Schema can't say, with its words. */
export type PublishedRule = {
  rule: string
  modes: string[]
  message: string
  when?: unknown[]
  left?: unknown[]
  op?: string
  right?: unknown[]
}

export type Schemas = Record<string, Schema>

/** The schemas of the OpenAPI document, printed by the services' own commands. */
export async function readSchemas(): Promise<Schemas> {
  const events = await print(['services/catalog/bin/catalog-events.ts'], '')
  const document = JSON.parse(await print(['services/gateway/bin/print-openapi.ts'], events)) as { components: { schemas: Schemas } }
  return document.components.schemas
}

async function print(command: string[], input: string): Promise<string> {
  const child = Bun.spawn([process.execPath, ...command], { stdin: new Blob([input]), stdout: 'pipe', stderr: 'pipe' })
  const [output, errors, code] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited])
  if (code !== 0) throw new Error(`${command.join(' ')}: ${errors || output}`)
  return output
}

export const refName = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)
