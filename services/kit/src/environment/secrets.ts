import { ConfigError, type Group, secret } from './variables'

/** The values of one secret. The first signs, hashes and encrypts; each of them is accepted (docs/secrets.md). */
export type Secrets = readonly [current: string, ...accepted: string[]]

type Environment = Record<string, string | undefined>

/** VARIABLE, and in VARIABLE_ACCEPTED, one a line, what is accepted beside it while it is rotated. Each has at least `lengthMin` characters. */
export const secrets = (variable: string, options: { lengthMin: number }): Group<Secrets> => ({
  readGroup(env) {
    const read = optionalSecrets(variable, options).readGroup(env)
    if (!read) throw new ConfigError([`${variable} is not set`])
    return read
  },
})

/** The same; undefined where the variable is not set. */
export const optionalSecrets = (variable: string, { lengthMin }: { lengthMin: number }): Group<Secrets | undefined> => ({
  readGroup(env) {
    const current = env[variable] || undefined
    const accepted = linesOf(env, `${variable}_ACCEPTED`)
    const faults = [
      ...(current === undefined ? [] : faultsOf(variable, current, lengthMin)),
      ...accepted.flatMap(value => faultsOf(`each line of ${variable}_ACCEPTED`, value, lengthMin)),
    ]
    if (accepted.length > 0) {
      if (current === undefined) faults.push(`${variable} is not set, and ${variable}_ACCEPTED is`)
      // It is one of the accepted in the next step, which no line can hold with the end of one in it.
      else if (/[\r\n]/.test(current)) faults.push(`${variable} has the end of a line in it, so it can't be rotated: docs/secrets.md`)
    }
    if (faults.length > 0) throw new ConfigError(faults)
    return current === undefined ? undefined : Object.freeze([current, ...accepted.filter(value => value !== current)] as const)
  },
})

const linesOf = (env: Environment, variable: string): string[] => (env[variable] ?? '').split(/\r?\n/).filter(line => line !== '')

function faultsOf(name: string, value: string, lengthMin: number): string[] {
  try {
    secret({ lengthMin }).parse(value)
    return []
  } catch (error) {
    return [`${name} ${(error as Error).message}`]
  }
}
