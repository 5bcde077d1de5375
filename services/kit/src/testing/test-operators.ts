import type { Operator, Operators } from '../operator/operators'

/** Operators of a test by their tokens; what is not said of one is as with the shared token. */
export function testOperators(tokens: Record<string, Partial<Operator>>): Operators {
  const shared: Operator = { name: undefined, role: 'money', actsForOthers: true }
  const list = () => Object.values(tokens).map(operator => ({ ...shared, ...operator }))
  return {
    list,
    find(token) {
      const operator = tokens[token]
      return operator && { ...shared, ...operator }
    },
  }
}
