const address = /^[^\s@]+@[^\s@]+$/

/**
 * Which person an operator's name means: their e-mail address, in whatever letters. Undefined for any other name: the console knows the same
 * person by their address, so that one could be two.
 */
export function personOf(name: string): string | undefined {
  const folded = name.trim().toLowerCase()
  return address.test(folded) ? folded : undefined
}
