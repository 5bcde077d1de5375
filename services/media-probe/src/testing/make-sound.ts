/** Runs ffmpeg and returns its output. `-f` sets the format. */
export async function ffmpegBytes(options: string[]): Promise<Buffer> {
  const child = Bun.spawn(['ffmpeg', '-nostdin', '-v', 'error', ...options, 'pipe:1'], { stdin: 'ignore', stderr: 'pipe' })
  const [output, complaint] = await Promise.all([new Response(child.stdout).bytes(), new Response(child.stderr).text()])
  if ((await child.exited) !== 0) throw new Error(`ffmpeg failed: ${complaint}`)
  return Buffer.from(output)
}

export const sine = (seconds: number) => ['-f', 'lavfi', '-t', String(seconds), '-i', 'sine=sample_rate=44100']

/** The same through a file, so that ffmpeg can go back and write lengths into headers. */
export async function makeFile(folder: string, name: string, options: string[]): Promise<Buffer> {
  const path = `${folder}/${name}`
  const child = Bun.spawn(['ffmpeg', '-nostdin', '-v', 'error', '-y', ...options, path], { stdin: 'ignore', stderr: 'inherit' })
  if ((await child.exited) !== 0) throw new Error(`ffmpeg made no ${name}`)
  return Buffer.from(await Bun.file(path).bytes())
}

/** All samples that ffmpeg decodes, in 16 bits. Throws at an error. From a file, because ffmpeg doesn't trim pipes. */
export async function played(folder: string, format: string, file: Buffer): Promise<Buffer> {
  const path = `${folder}/${crypto.randomUUID()}`
  await Bun.write(path, file)
  return ffmpegBytes(['-xerror', '-f', format, '-i', path, '-f', 's16le'])
}
