/** Thrown by whoever reads or handles a message that can never be handled, whatever is mended around it: it is set aside at once. */
export class UnprocessableMessage extends Error {
  override name = 'UnprocessableMessage'
}
