export type Said = { code: number; out: string; err: string }

/** Two tools at once: they share two cores with the service they judge. */
const placesMax = 2
let taken = 0
const waiting: (() => void)[] = []

/** A reader that is not on this machine has nothing to say: the long form installs all of them. */
export const isThere = (tool: string) => Bun.which(tool) !== null

/** Runs a reader to its end; what it says on both ends is what is judged. */
export async function runTool(command: string[]): Promise<Said> {
  if (taken >= placesMax) await new Promise<void>(resolve => waiting.push(resolve))
  else taken += 1
  try {
    const child = Bun.spawn(command, { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
    const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
    return { code: await child.exited, out, err }
  } finally {
    const next = waiting.shift()
    if (next) next()
    else taken -= 1
  }
}
