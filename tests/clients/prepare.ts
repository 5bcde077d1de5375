import { portBaseFrom } from '@filmgate/tools/stack/command/arguments'
import { suitePortBase } from '@filmgate/tools/stack/ports'

/** Above the ports of a stack. */
export const storageLinePort = (portBase: number): number => portBase + 40

/** Clients fetch their videos over a line that cuts downloads (storage-line.ts). */
export default function prepare(): Record<string, string> {
  const port = storageLinePort(portBaseFrom(process.env.FILMGATE_PORT_BASE, suitePortBase))
  return { FILMGATE_OUTPUT_BASE_URL: `http://127.0.0.1:${port}/filmgate-outputs` }
}
