export type Nested = { [name: string]: unknown }

/** `{'a.b': 1}` as `{a: {b: 1}}`. */
export function nested(fields: Nested): Nested {
  const whole: Nested = {}
  for (const [path, value] of Object.entries(fields)) {
    const names = path.split('.')
    const last = names.pop() ?? ''
    const place = names.reduce<Nested>((at, name) => {
      const inner = at[name] ?? {}
      at[name] = inner
      return inner as Nested
    }, whole)
    place[last] = value
  }
  return whole
}
