/** A filter graph under construction: its inputs in ffmpeg's order and its chains in the order they were joined. */
export type Graph = { args: string[]; chains: string[]; input(options: string[], path: string): number; chain(filter: string): void }

export function createGraph(): Graph {
  let count = 0
  const args: string[] = []
  const chains: string[] = []
  return {
    args,
    chains,
    /** Only local files: what a client names must not make ffmpeg open anything else. */
    input(options, path) {
      const local = options.includes('lavfi') ? [] : ['-protocol_whitelist', 'file']
      args.push(...options, ...local, '-i', path)
      return count++
    },
    chain: filter => void chains.push(filter),
  }
}
