/** What `bun run clients` can do. `run` throws, or sets the exit status, where it fails. */
export type Verb = { summary: string; usage: string; run(words: string[]): Promise<void> }
