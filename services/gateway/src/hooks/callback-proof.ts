/**
 * What a callback's signature proved. unsigned: it has none that can be checked. unchecked: there were no keys to check it by. unnamed: signed, and it
 * names no id. All but `verified` are hints.
 */
export const proofs = ['verified', 'unsigned', 'stale', 'forged', 'foreign', 'unnamed', 'unchecked'] as const

/** `providerTaskId`: the id that the provider itself names for what it calls back about. */
export type CallbackProof = { proved: 'verified'; providerTaskId: string } | { proved: Exclude<(typeof proofs)[number], 'verified'> }
