/** What ffprobe says of a file or address: streams by kind and the length. */
export async function probe(path: string) {
  const child = Bun.spawn(['ffprobe', '-v', 'error', '-show_streams', '-show_format', '-of', 'json', path], { stdout: 'pipe' })
  const { streams, format } = JSON.parse(await child.stdout.text())
  const video = streams.find((stream: { codec_type: string }) => stream.codec_type === 'video')
  const audio = streams.find((stream: { codec_type: string }) => stream.codec_type === 'audio')
  return {
    seconds: Number(format.duration),
    frames: Number(video?.nb_frames),
    width: video?.width as number,
    height: video?.height as number,
    video: (video?.codec_name ?? null) as string | null,
    audio: (audio?.codec_name ?? null) as string | null,
  }
}

/** The mean colour of an area of a frame, as [red, green, blue]. `area` is ffmpeg's crop, `at` seconds from the start. */
export async function colourAt(path: string, at: number, area: string): Promise<[number, number, number]> {
  const filter = `crop=${area},scale=1:1:flags=area,format=rgb24`
  const child = Bun.spawn(
    ['ffmpeg', '-v', 'error', '-ss', String(at), '-i', path, '-vf', filter, '-frames:v', '1', '-f', 'rawvideo', '-'],
    { stdout: 'pipe' },
  )
  const [red = 0, green = 0, blue = 0] = await child.stdout.bytes()
  return [red, green, blue]
}

/** Makes a file with ffmpeg's own sources. */
export async function makeMedia(path: string, source: string, ...options: string[]): Promise<string> {
  const child = Bun.spawn(['ffmpeg', '-v', 'error', '-y', '-f', 'lavfi', '-i', source, ...options, path], { stderr: 'pipe' })
  if ((await child.exited) !== 0) throw new Error(await child.stderr.text())
  return path
}
