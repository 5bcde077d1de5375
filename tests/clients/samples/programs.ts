import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { filled, fillingOf } from '../../../services/gateway/src/docs/samples/fill'
import { sampleMedia } from '../../support/client/sample-media'
import { settings } from '../../support/settings'

const root = resolve(import.meta.dir, '../../..')
const samplesFolder = join(root, 'services/gateway/src/docs/samples')
const guidesFolder = join(root, 'services/gateway/src/docs/guides')

export type Language = 'sh' | 'ts' | 'python'
/** A whole program of the reference or a README. `saves`: the video that it leaves behind. */
export type Program = { name: string; language: Language; text: string; saves?: string }
export type Body = Record<string, unknown>

/** The example of each model and mode, such as `alpha-h3.text-to-video`, by the description of the running gateway. */
export async function readExamples(): Promise<Map<string, Body>> {
  const response = await fetch(`${new URL(settings.url).origin}/openapi.json`)
  const { components } = (await response.json()) as { components: { examples: Record<string, { value: Body }> } }
  return new Map(Object.entries(components.examples).map(([name, { value }]) => [name, value]))
}

/** The same, with media that the stack has. */
export const readBodies = async (): Promise<Map<string, Body>> =>
  new Map([...(await readExamples())].map(([name, body]) => [name, withLocalMedia(body)]))

/** Media of example.com are those of the stack's own host, as long as the body says. */
function withLocalMedia(body: Body): Body {
  const lengths: Record<string, unknown> = {
    reference_video_urls: body.reference_video_durations,
    reference_audio_urls: body.reference_audio_durations,
  }
  const local = (field: string, url: string, index: number): string => {
    const ending = /\.(\w+)$/.exec(url)?.[1] ?? ''
    const seconds = (lengths[field] as number[] | undefined)?.[index]
    return sampleMedia(seconds === undefined ? `sample.${ending}` : `sample-${seconds}s.${ending}`)
  }
  const entries = Object.entries(body).map(([field, value]) => {
    if (Array.isArray(value) && field.endsWith('_urls')) return [field, value.map((url, index) => local(field, String(url), index))]
    return [field, field.endsWith('_url') ? local(field, String(value), 0) : value]
  })
  return Object.fromEntries(entries)
}

const languageOf = (file: string): Language => (file.endsWith('.py') ? 'python' : file.endsWith('.ts') ? 'ts' : 'sh')

/** The names of the samples, and of the files that each has. */
export const samples = (): { sample: string; files: string[] }[] =>
  readdirSync(samplesFolder, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => ({ sample: name, files: readdirSync(join(samplesFolder, name)).sort() }))

/** All others leave a video. */
const withoutVideo = ['budget', 'cancel', 'estimate', 'list-usage', 'webhooks-setup']

/** A sample as the reference shows it for this request. */
export function fillSample(sample: string, file: string, body: Body): Program {
  const text = filled(readFileSync(join(samplesFolder, sample, file), 'utf8'), fillingOf(body))
  const saves = withoutVideo.includes(sample) ? undefined : 'video.mp4'
  return { name: `${sample}/${file} for ${body.model} ${body.mode}`, language: languageOf(file), text, ...(saves && { saves }) }
}

/** A program that names an MP4 saves it. */
function program(name: string, language: Language, text: string): Program {
  const saves = /['"\s]([\w-]+\.mp4)\b/.exec(text)?.[1]
  return { name, language, text, ...(saves && { saves }) }
}

const fence = /^```(\w+)([^\n]*)\n(.*?)^```$/gms
const languages: Record<string, Language> = { ts: 'ts', typescript: 'ts', js: 'ts', python: 'python', py: 'python', sh: 'sh', bash: 'sh' }
/** What sets a machine up, or needs a person; other commands of the shell are run. */
const setsUp = /^\s*(npm|npx|bun|pip|uv|deno|pnpm|export|docker|\$|#|$)/

/** The programs of a Markdown page. A fence with `no-run` is none: it is a fragment, or somebody else's program. */
export function programsOf(page: string, markdown: string): Program[] {
  return [...markdown.matchAll(fence)].flatMap(({ 1: info = '', 2: more = '', 3: text = '' }, index) => {
    const language = languages[info]
    if (!language || /\bno-run\b/.test(more)) return []
    if (
      language === 'sh' &&
      text.split('\n').every(line => setsUp.test(line) && !/\bfilmgate (generate|estimate|models|usage|tasks)\b/.test(line))
    )
      return []
    return [program(`${page}, program ${index + 1}`, language, text)]
  })
}

/** Those of the README, the guides and the clients' READMEs. */
export function programsOfPages(): Program[] {
  const guides = readdirSync(guidesFolder).map(file => join('services/gateway/src/docs/guides', file))
  const readmes = [...new Bun.Glob('clients/*/README.md').scanSync(root)].sort()
  return ['README.md', ...guides, ...readmes].flatMap(page => programsOf(page, readFileSync(join(root, page), 'utf8')))
}
