import { Failure } from '@filmgate/kit/failure'
import { answerRendered } from '@filmgate/kit/http/answer-rendered'
import { type Rendered, rendered } from '@filmgate/kit/http/rendered'
import { Elysia } from 'elysia'
import type { Reason } from '../errors'
import batch from './assets/batch.browser.js' with { type: 'text' }
import common from './assets/common.browser.js' with { type: 'text' }
import icon from './assets/icon.svg' with { type: 'text' }
import live from './assets/live.browser.js' with { type: 'text' }
import passkey from './assets/passkey.browser.js' with { type: 'text' }
import playground from './assets/playground.browser.js' with { type: 'text' }
import purchase from './assets/purchase.browser.js' with { type: 'text' }
import secret from './assets/secret.browser.js' with { type: 'text' }
import base from './assets/styles/base.css' with { type: 'text' }
import frame from './assets/styles/frame.css' with { type: 'text' }
import lists from './assets/styles/lists.css' with { type: 'text' }
import modelsStyle from './assets/styles/models.css' with { type: 'text' }
import operate from './assets/styles/operate.css' with { type: 'text' }
import parts from './assets/styles/parts.css' with { type: 'text' }
import playgroundStyle from './assets/styles/playground.css' with { type: 'text' }
import tasksStyle from './assets/styles/tasks.css' with { type: 'text' }
import tasks from './assets/tasks.browser.js' with { type: 'text' }
import uploads from './assets/uploads.browser.js' with { type: 'text' }
import zip from './assets/zip.browser.js' with { type: 'text' }

/** The module as browsers load it; the package's types are those of its functions. */
const { default: clientZip } = (await import('client-zip', { with: { type: 'text' } })) as unknown as { default: string }

const types = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', svg: 'image/svg+xml' } as const
type Asset = Rendered & { type: string; path: string }

/** All static assets by name. Add a page's script here. */
const texts: Record<string, string> = {
  'console.css': base + frame + parts + lists + playgroundStyle + tasksStyle + modelsStyle + operate,
  'icon.svg': icon,
  'common.browser.js': common,
  'passkey.browser.js': passkey,
  'live.browser.js': live,
  'secret.browser.js': secret,
  'purchase.browser.js': purchase,
  'playground.browser.js': playground,
  'uploads.browser.js': uploads,
  'tasks.browser.js': tasks,
  'batch.browser.js': batch,
  'zip.browser.js': zip,
  'client-zip.js': clientZip,
}

const assets = new Map<string, Asset>(Object.entries(texts).map(([name, text]) => [name, assetOf(name, text)]))
const byPath = new Map([...assets.values()].map(asset => [asset.path, asset]))

function assetOf(name: string, text: string): Asset {
  const made = rendered(text)
  const ending = name.slice(name.lastIndexOf('.') + 1) as keyof typeof types
  const stem = name.slice(0, name.length - ending.length - 1)
  return { ...made, type: types[ending], path: `/assets/${stem}.${made.etag.slice(1, -1)}.${ending}` }
}

/** The URL of an asset. It contains a hash of the content, so that browsers can cache it forever. */
export function assetPath(name: string): string {
  const asset = assets.get(name)
  if (!asset) throw new Error(`no asset is called ${name}`)
  return asset.path
}

const yearSeconds = 31_536_000

export const assetRoutes = () =>
  new Elysia({ name: 'assets', normalize: false }).get('/assets/:name', function getAsset({ request, params: { name }, set }) {
    const asset = byPath.get(`/assets/${name}`)
    if (!asset) throw new Failure<Reason>('not_found')
    return answerRendered(request, set, asset, asset.type, `public, max-age=${yearSeconds}, immutable`)
  })
