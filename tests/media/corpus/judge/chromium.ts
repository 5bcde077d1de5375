import type { Server } from 'bun'
import { findChromium, startChromium } from '../../../support/browser/chromium'
import { connectDevtools } from '../../../support/browser/devtools'
import { openTab } from '../../../support/browser/tab'

export type Shown = { seconds: number; width: number; height: number; fault: string }
export type Look = { path: string; how: 'picture' | 'movie' | 'sound' }

const batchFiles = 40

/** What a page does with a file of each kind: whole or not at all. */
const page = `<!doctype html><meta charset=utf-8><script>
const show = {
  async picture(url) { const img = new Image(); img.src = url; await img.decode(); return { seconds: 0, width: img.naturalWidth, height: img.naturalHeight } },
  movie: url => new Promise((resolve, reject) => {
    const video = document.createElement('video')
    const giveUp = setTimeout(() => { reject(new Error('did not end, at ' + video.currentTime + ' of ' + video.duration)); video.src = '' }, 20000)
    video.muted = true; video.preload = 'auto'; video.src = url
    video.onerror = () => { clearTimeout(giveUp); reject(new Error(video.error && video.error.message || 'no movie')) }
    video.onloadedmetadata = () => { video.playbackRate = 8; video.play().catch(reject) }
    video.onended = () => { clearTimeout(giveUp); resolve({ seconds: video.duration, width: video.videoWidth, height: video.videoHeight }); video.removeAttribute('src'); video.load() }
  }),
  async sound(url) {
    const context = new OfflineAudioContext(1, 48000, 48000)
    const sound = await context.decodeAudioData(await (await fetch(url)).arrayBuffer())
    return { seconds: sound.duration, width: 0, height: 0 }
  },
}
async function showAll(files) {
  const results = new Array(files.length)
  let next = 0
  const work = async () => { for (let at = next++; at < files.length; at = next++) results[at] = await show[files[at].how](files[at].url).then(shown => ({ ...shown, fault: '' }), error => ({ seconds: 0, width: 0, height: 0, fault: String(error && error.message || error) })) }
  await Promise.all([work(), work(), work(), work()])
  return results
}
</script>`

/** Shows files in Chromium, many to a question. */
export async function showInChromium(files: Look[]): Promise<Map<string, Shown>> {
  const binary = await findChromium()
  if (!binary) throw new Error('chromium was not found')
  const types = { picture: '', movie: 'video/mp4', sound: '' }
  const server: Server<undefined> = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    fetch(request) {
      const { pathname } = new URL(request.url)
      const file = files[Number(pathname.slice(1))]
      if (pathname === '/' || !file) return new Response(page, { headers: { 'content-type': 'text/html' } })
      return new Response(Bun.file(file.path), types[file.how] ? { headers: { 'content-type': types[file.how] } } : {})
    },
  })
  const browser = await startChromium(binary)
  const shown = new Map<string, Shown>()
  try {
    const devtools = await connectDevtools(browser.url)
    const tab = await openTab(devtools, `http://127.0.0.1:${server.port}/`, { width: 1280, scheme: 'light' })
    for (let from = 0; from < files.length; from += batchFiles) {
      const some = files.slice(from, from + batchFiles)
      const asked = some.map(({ how }, at) => ({ how, url: `/${from + at}` }))
      const results = await tab.evaluate<Shown[]>(`showAll(${JSON.stringify(asked)})`)
      for (const [at, { path }] of some.entries()) shown.set(path, results[at] ?? { seconds: 0, width: 0, height: 0, fault: 'no answer' })
    }
    devtools.close()
    return shown
  } finally {
    await browser.stop()
    await server.stop(true)
  }
}
