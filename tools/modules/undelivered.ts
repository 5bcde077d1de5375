import { dirname } from 'node:path'
import { run } from '../stack/fetch/run'

type Downloaded = { Path: string; Version: string; Error?: string }

const downloadTimeoutMs = 900_000

/** Fetches what a mod file pins, which a build would do next, and says what the proxy names but doesn't hand out, or hands out altered. */
export async function undelivered(go: string, modFile: string): Promise<string[]> {
  const { code, output } = await run([go, 'mod', 'download', '-json'], { cwd: dirname(modFile), timeoutMs: downloadTimeoutMs })
  const faults = [...output.matchAll(/^\{.*?^\}/gms)].flatMap(([text]) => {
    const { Path, Version, Error: fault } = JSON.parse(text) as Downloaded
    return fault ? [`${Path} ${Version} is named but not handed out: ${fault.replaceAll(/\s+/g, ' ').slice(-200)}`] : []
  })
  return faults.length > 0 || code === 0 ? faults : [`go mod download ended with ${code}: ${output.slice(-300)}`]
}
