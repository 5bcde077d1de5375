/** Parses one environment variable; throws a plain sentence when the value will not do. */
export type Reader<T> = { parse(raw: string | undefined): T }

/** Reads variables that are right or wrong beside each other; throws a ConfigError with every fault of them. */
export type Group<T> = { readGroup(env: Environment): T }

type Environment = Record<string, string | undefined>
type Shape = Record<string, readonly [variable: string, reader: Reader<unknown>] | Group<unknown>>
type ValueOf<E> = E extends readonly [string, Reader<infer T>] ? T : E extends Group<infer T> ? T : never

export class ConfigError extends Error {
  override name = 'ConfigError'
  constructor(readonly faults: string[]) {
    super(`The environment needs mending:\n${faults.map(fault => `  - ${fault}`).join('\n')}`)
  }
}

/** Reads every variable once, lists every fault at once and freezes the result. `shape` maps a name of ours to [variable, reader], or to a group. */
export function readVariables<S extends Shape>(env: Environment, shape: S): Readonly<{ [K in keyof S]: ValueOf<S[K]> }> {
  const faults: string[] = []
  const config: Record<string, unknown> = {}
  for (const [name, entry] of Object.entries(shape)) {
    try {
      config[name] = 'readGroup' in entry ? entry.readGroup(env) : parse(env, ...entry)
    } catch (error) {
      faults.push(...(error instanceof ConfigError ? error.faults : [error instanceof Error ? error.message : String(error)]))
    }
  }
  if (faults.length > 0) throw new ConfigError(faults)
  return Object.freeze(config) as never
}

function parse<T>(env: Environment, variable: string, reader: Reader<T>): T {
  try {
    return reader.parse(env[variable] === '' ? undefined : env[variable])
  } catch (error) {
    throw new ConfigError([`${variable} ${error instanceof Error ? error.message : String(error)}`])
  }
}

function reader<T>(fallback: T | undefined, read: (raw: string) => T): Reader<T> {
  return {
    parse(raw) {
      if (raw !== undefined) return read(raw)
      if (fallback === undefined) throw new Error('is not set')
      return fallback
    },
  }
}

export const text = (options: { fallback?: string; pattern?: RegExp } = {}): Reader<string> =>
  reader(options.fallback, raw => {
    if (options.pattern && !options.pattern.test(raw)) throw new Error(`does not match ${options.pattern}`)
    return raw
  })

export const number = (options: { min?: number; max?: number; fallback?: number } = {}): Reader<number> =>
  reader(options.fallback, raw => {
    const value = Number(raw)
    if (raw.trim() === '' || Number.isNaN(value)) throw new Error(`is not a number: ${JSON.stringify(raw)}`)
    if (value < (options.min ?? -Infinity)) throw new Error(`must be at least ${options.min}, is ${raw}`)
    if (value > (options.max ?? Infinity)) throw new Error(`must be at most ${options.max}, is ${raw}`)
    return value
  })

export const integer = (options: { min?: number; max?: number; fallback?: number } = {}): Reader<number> => ({
  parse(raw) {
    const value = number(options).parse(raw)
    if (!Number.isSafeInteger(value)) throw new Error(`is not a whole number: ${JSON.stringify(raw)}`)
    return value
  },
})

export const flag = (fallback?: boolean): Reader<boolean> =>
  reader(fallback, raw => {
    if (['1', 'true', 'yes', 'on'].includes(raw.toLowerCase())) return true
    if (['0', 'false', 'no', 'off'].includes(raw.toLowerCase())) return false
    throw new Error(`must be true or false, is ${JSON.stringify(raw)}`)
  })

export const url = (options: { fallback?: string; protocols?: string[] } = {}): Reader<string> =>
  reader(options.fallback, raw => {
    const parsed = URL.parse(raw)
    // The value may hold a password, so the message does not repeat it.
    if (!parsed) throw new Error('is not a URL')
    if (options.protocols && !options.protocols.includes(parsed.protocol.slice(0, -1)))
      throw new Error(`must start with ${options.protocols.map(protocol => `${protocol}://`).join(' or ')}`)
    return raw
  })

export const list = (options: { fallback?: string[] } = {}): Reader<string[]> =>
  reader(options.fallback, raw =>
    raw
      .split(',')
      .map(item => item.trim())
      .filter(Boolean),
  )

/** A value that must never be printed, long enough to be one. */
export const secret = (options: { fallback?: string; lengthMin?: number } = {}): Reader<string> =>
  reader(options.fallback, raw => {
    if (raw.length < (options.lengthMin ?? 16)) throw new Error(`must have at least ${options.lengthMin ?? 16} characters`)
    return raw
  })

/** `undefined` where the variable is not set. */
export const optional = <T>(inner: Reader<T>): Reader<T | undefined> => ({
  parse: raw => (raw === undefined ? undefined : inner.parse(raw)),
})

/** What is for a developer's machine only; a released service does not start with it. */
export const developmentOnly = <T>(inner: Reader<T>, release: boolean): Reader<T | undefined> => ({
  parse(raw) {
    if (raw !== undefined && release) throw new Error('is a development setting and this is a release build: remove it')
    return optional(inner).parse(raw)
  },
})
