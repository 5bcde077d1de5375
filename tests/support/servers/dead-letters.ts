import { opsDone } from '../operator/ops'

export type Letter = { topic: string; eventId: string; key: string; group: string; cause: string }

/** One call of `ops dlq`, as an operator makes it; the JSON it prints. */
export const opsDlq = async <T>(...words: string[]): Promise<T> => JSON.parse(await opsDone('dlq', ...words, '--json'))

/** What waits to be replayed. */
export const deadLetters = () => opsDlq<Letter[]>('list')
