/** What went wrong, in a sentence for the operator. */
export class OpsFault extends Error {}
