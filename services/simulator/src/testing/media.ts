/** What ffprobe says of a file or address: streams by kind and the length. */
export async function probe(path: string) {
  const { streams, format } = await ffprobe(path)
  const video = streams.find(({ codec_type }) => codec_type === 'video')
  const audio = streams.find(({ codec_type }) => codec_type === 'audio')
  return {
    seconds: Number(format.duration),
    frames: Number(video?.nb_frames),
    width: video?.width as number,
    height: video?.height as number,
    video: (video?.codec_name ?? null) as string | null,
    audio: (audio?.codec_name ?? null) as string | null,
  }
}

/** Its streams in their order, such as `hevc 320x180 yuv420p10le` or `aac`. */
export async function streamsOf(path: string): Promise<string[]> {
  const { streams } = await ffprobe(path)
  return streams.map(({ codec_name, width, height, pix_fmt }) => (width ? `${codec_name} ${width}x${height} ${pix_fmt}` : codec_name))
}

type Stream = { codec_type: string; codec_name: string; nb_frames: string; width?: number; height?: number; pix_fmt?: string }

async function ffprobe(path: string): Promise<{ streams: Stream[]; format: { duration: string } }> {
  const child = Bun.spawn(['ffprobe', '-v', 'error', '-show_streams', '-show_format', '-of', 'json', path], { stdout: 'pipe' })
  return JSON.parse(await child.stdout.text())
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
