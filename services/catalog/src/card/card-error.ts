/** Slips in card or price files. Each sentence starts with the file and the field, so that whoever wrote it finds the place. */
export class CardError extends Error {
  override name = 'CardError'
  constructor(readonly faults: string[]) {
    super(`The catalog's data needs mending:\n${faults.map(fault => `  - ${fault}`).join('\n')}`)
  }
}
