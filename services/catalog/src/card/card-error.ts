/** Faults in card or price files. Each message starts with the file and the field. */
export class CardError extends Error {
  override name = 'CardError'
  constructor(readonly faults: string[]) {
    super(`The catalog's data have faults:\n${faults.map(fault => `  - ${fault}`).join('\n')}`)
  }
}
