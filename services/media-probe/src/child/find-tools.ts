import { childPath, programs } from './programs'
import { findIsolation, type Isolation, isolations } from './sandbox'

export type FoundTools = {
  ffprobe: string
  ffmpeg: string
  ffprobeVersion: string
  ffmpegVersion: string
  isolation: Isolation
  /** Arguments for this ffmpeg to pass frames through unchanged. */
  keepFramesArgs: string[]
}

/** Checks at start that the tools exist, and finds the strongest sandbox. The error says what to install. */
export async function findTools(
  names: { ffprobe: string; ffmpeg: string },
  workFolder: string,
  wanted: string | undefined,
  path = childPath,
): Promise<FoundTools> {
  const [ffprobe, ffmpeg] = [Bun.which(names.ffprobe), Bun.which(names.ffmpeg)]
  const missing: string[] = programs.filter(name => !Bun.which(name, { PATH: path }))
  if (!ffprobe) missing.push(`${names.ffprobe} (FILMGATE_FFPROBE)`)
  if (!ffmpeg) missing.push(`${names.ffmpeg} (FILMGATE_FFMPEG)`)
  if (!ffprobe || !ffmpeg || missing.length > 0)
    throw new Error(`programs are missing: ${missing.join(', ')}. Install ffmpeg and util-linux`)
  const [ffprobeVersion, ffmpegVersion] = await Promise.all([versionOf(ffprobe), versionOf(ffmpeg)])
  const found = await findIsolation(
    workFolder,
    [ffprobe, '-version'],
    isolations.filter(isolation => !wanted || isolation === wanted),
  )
  if (!found && wanted) throw new Error(`FILMGATE_ISOLATION=${wanted}, but this platform does not grant it: allow it or unset the variable`)
  if (!found) throw new Error('decoders can’t be isolated: this needs Linux on x86-64 or arm64 with seccomp filters')
  if (!(await decodesVp8(ffmpeg)))
    throw new Error(`${ffmpeg} has no libvpx decoder, which detects truncated WebPs: install Debian's ffmpeg`)
  // Renamed in 5.1; the old option was removed later.
  const keepFramesArgs = Number.parseFloat(ffmpegVersion) < 5.1 ? ['-vsync', 'passthrough'] : ['-fps_mode', 'passthrough']
  return { ffprobe, ffmpeg, ffprobeVersion, ffmpegVersion, isolation: found, keepFramesArgs }
}

/** "ffprobe version 5.1.9-0+deb12u1 Copyright …" */
async function versionOf(path: string): Promise<string> {
  const child = Bun.spawn([path, '-version'], { stdin: 'ignore', stdout: 'pipe', stderr: 'ignore' })
  const output = await new Response(child.stdout).text()
  const version = /^ff\w+ version (\S+)/.exec(output)?.[1]
  if (!version || (await child.exited) !== 0) throw new Error(`${path} doesn't print a version: is it of ffmpeg?`)
  return version
}

async function decodesVp8(ffmpeg: string): Promise<boolean> {
  const child = Bun.spawn([ffmpeg, '-v', 'error', '-h', 'decoder=libvpx'], { stdin: 'ignore', stdout: 'pipe', stderr: 'ignore' })
  const output = await new Response(child.stdout).text()
  return (await child.exited) === 0 && output.startsWith('Decoder libvpx')
}
