/**
 * What a callback's signature proved. unsigned: it has none that can be checked. unchecked: there were no keys to check it by. unnamed: signed, and it
 * names no id. All but `verified` are hints.
 */
export const proofs = ['verified', 'unsigned', 'stale', 'forged', 'foreign', 'unnamed', 'unchecked'] as const

/** `makerTaskId`: the id that the maker itself names for what it calls back about. */
export type CallbackProof = { proved: 'verified'; makerTaskId: string } | { proved: Exclude<(typeof proofs)[number], 'verified'> }
