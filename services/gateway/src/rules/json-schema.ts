/** JSON Schema 2020-12. */
export type Schema = { [keyword: string]: unknown }

/** All of them at once; those that only name fields become one object, so that a schema reads as a person would write it. */
export function allOf(schemas: Schema[]): Schema {
  const [first, ...others] = schemas
  if (first && others.length === 0) return first
  const plain = schemas.every(schema => Object.keys(schema).every(key => key === 'properties' || key === 'required'))
  const names = schemas.flatMap(schema => Object.keys((schema.properties as Schema | undefined) ?? {}))
  if (!plain || new Set(names).size !== names.length) return { allOf: schemas }
  const required = [...new Set(schemas.flatMap(schema => (schema.required as string[] | undefined) ?? []))]
  const properties = Object.assign({}, ...schemas.map(schema => schema.properties ?? {}))
  return { ...(names.length > 0 && { properties }), ...(required.length > 0 && { required }) }
}
