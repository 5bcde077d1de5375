import { findIsolation, type Isolation } from './sandbox'

export type FoundTools = { ffprobe: string; ffmpeg: string; ffprobeVersion: string; ffmpegVersion: string; isolation: Isolation }

/** Looks at start that the tools are there and how far a child can be kept apart. Throws a sentence that says what to do. */
export async function findTools(
  names: { ffprobe: string; ffmpeg: string },
  workFolder: string,
  wanted: string | undefined,
): Promise<FoundTools> {
  const [ffprobe, ffmpeg] = [locate(names.ffprobe, 'FILMGATE_FFPROBE'), locate(names.ffmpeg, 'FILMGATE_FFMPEG')]
  const [ffprobeVersion, ffmpegVersion] = await Promise.all([versionOf(ffprobe), versionOf(ffmpeg)])
  const found = await findIsolation(workFolder)
  if (!found) throw new Error('setpriv and prlimit (util-linux) are needed to run ffprobe apart: install util-linux')
  const isolation = wanted === 'rlimits' ? 'rlimits' : found
  if (wanted === 'namespace' && found !== 'namespace')
    throw new Error('FILMGATE_ISOLATION=namespace, but this platform grants no user namespace: allow unshare or unset it')
  return { ffprobe, ffmpeg, ffprobeVersion, ffmpegVersion, isolation }
}

function locate(name: string, variable: string): string {
  const path = Bun.which(name)
  if (!path) throw new Error(`${name} was not found: install ffmpeg or set ${variable}`)
  return path
}

/** "ffprobe version 5.1.9-0+deb12u1 Copyright …" */
async function versionOf(path: string): Promise<string> {
  const child = Bun.spawn([path, '-version'], { stdin: 'ignore', stdout: 'pipe', stderr: 'ignore' })
  const output = await new Response(child.stdout).text()
  const version = /^ff\w+ version (\S+)/.exec(output)?.[1]
  if (!version || (await child.exited) !== 0) throw new Error(`${path} does not say its version: is it ffmpeg's?`)
  return version
}
