import { readTexts } from './read-texts' with { type: 'macro' }

/** The guides and the samples as they were when this was built. */
export const texts = readTexts()
