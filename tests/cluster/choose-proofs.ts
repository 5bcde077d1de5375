import { StackFault } from '@filmgate/tools/stack/fault'

type Choice = { name: string; short: boolean }

/** What to prove: the install in any case, and of the rest what was asked for. A word that names nothing is a slip, not a wish for less. */
export function chooseProofs<P extends Choice>(proofs: P[], { only, short }: { only?: string[]; short: boolean }): P[] {
  const typo = only?.find(word => !word || !proofs.some(({ name }) => name.includes(word)))
  if (typo !== undefined)
    throw new StackFault(`No proof has "${typo}" in its name; there are:\n  ${proofs.map(({ name }) => name).join('\n  ')}`)
  return proofs.filter(proof => proof.name === 'install' || (only ? only.some(word => proof.name.includes(word)) : proof.short || !short))
}
