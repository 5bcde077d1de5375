/** What went wrong, in a sentence for the operator. `status` is that of a service which refused; without one it didn't answer. */
export class OpsFault extends Error {
  constructor(
    words: string,
    readonly status?: number,
  ) {
    super(words)
  }
}
