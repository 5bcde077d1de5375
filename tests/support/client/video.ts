export type Video = { seconds: number; width: number; height: number; codec: string; sound: boolean; bytes: number }

/** Fetches a finished video without credentials and has ffprobe say what it is. */
export async function probeVideo(url: string): Promise<Video> {
  const answer = await fetch(url)
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status}`)
  const bytes = await answer.bytes()
  const child = Bun.spawn(['ffprobe', '-v', 'error', '-show_streams', '-show_format', '-of', 'json', '-'], {
    stdin: bytes,
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const { streams = [], format = {} } = JSON.parse(await child.stdout.text()) as {
    streams?: { codec_type: string; codec_name: string; width: number; height: number }[]
    format?: { duration?: string }
  }
  const video = streams.find(({ codec_type }) => codec_type === 'video')
  if (!video) throw new Error(`${url} is no video: ${await child.stderr.text()}`)
  return {
    seconds: Number(format.duration),
    width: video.width,
    height: video.height,
    codec: video.codec_name,
    sound: streams.some(({ codec_type }) => codec_type === 'audio'),
    bytes: bytes.length,
  }
}
