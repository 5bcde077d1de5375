import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import { Failure } from '@filmgate/kit/failure'
import { KindLimitsSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { createByteBudget } from '../byte-budget'
import { download } from '../download'
import { createNetwork } from '../network'
import { describeText } from './describe-text'

const nameOf = (text: string | Buffer) => describeText(Buffer.from(text as string))?.name
const page = (title: string) => `<!DOCTYPE html><html><head><meta charset="utf-8"><title>${title}</title></head><body></body></html>`

test.each([
  ['a web page (“photo.jpg - Google Drive”), not the file', page('photo.jpg - Google Drive')],
  ['a web page (“Dropbox - clip.mp4”), not the file', `\ufeff\n<html lang="de"><TITLE dir="auto">\n Dropbox -\tclip.mp4\n</TITLE>`],
  ['a web page, not the file', '<!-- cached --><?php ?>\n<!doctype HTML>\n<p>Sign in'],
  ['a web page, not the file', '<html><title></title>'],
  ['a web page, not the file', '<script>location = "/login"</script>'],
  [
    'an XML error (AccessDenied), not the file',
    '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>',
  ],
  ['an XML error, not the file', '<Error><Message>?</Message></Error>'],
  ['an XML document, not the file', '<?xml version="1.0"?><rss/>'],
  ['an SVG picture', '<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" ""><svg/>'],
  ['an XML document, not the file', '<constructor>'],
  ['JSON, not the file', '{"error":"not found"}'],
  ['a text, not the file', 'Not Found\n'],
])('%s', (name, text) => {
  expect(nameOf(text)).toBe(name)
})

test('a title is bounded and has nothing that a page, a log or a terminal obeys', () => {
  expect(nameOf(page('a'.repeat(81)))).toBe(`a web page (“${'a'.repeat(80)}…”), not the file`)
  expect(nameOf(page('😀'.repeat(200)))).toBe(`a web page (“${'😀'.repeat(80)}…”), not the file`)
  expect(nameOf(page(`\u202eevil\u200b \x1b[31m\x00\x07 ”)`))).toBe('a web page (“evil [31m )”), not the file')
  expect(nameOf(page('<img src=x onerror="alert(\'1\')">'))).toBe("a web page (“img src=x onerror=alert('1')”), not the file")
  const latin1 = Buffer.from(page('Fran\xe7ais'), 'latin1')
  expect(describeText(latin1)?.name).toBe('a web page (“Franais”), not the file')
})

test('bytes that are no text have no name, and a hostile page takes no time', () => {
  for (const bytes of ['\x00\x01', 'a\x1b', '\xff\xfe\xfd']) expect(describeText(Buffer.from(bytes, 'latin1'))).toBeUndefined()
  expect(describeText(Buffer.alloc(0))).toBeUndefined()
  const beganMs = performance.now()
  for (const part of ['<!-- --> ', '<!--', '<title ', '<?', '<html <title>', ' ', '<!doctype ']) nameOf(part.repeat(65_536 / part.length))
  expect(performance.now() - beganMs).toBeLessThan(1_000)
})

const folder = await mkdtemp(join(tmpdir(), 'pages-'))
/** A share page with its title behind 40 KiB of scripts, in small pieces. */
const sharePage = `<!DOCTYPE html><html><head><script>${'x();'.repeat(10_000)}</script><title>Dropbox - a.png</title></head>`
const host = Bun.serve({
  ...{ port: 0, hostname: '127.0.0.1' },
  fetch({ url }) {
    const status = Number(new URL(url).pathname.slice(1))
    if (status) return new Response('<Error><Code>AccessDenied</Code></Error>', { status })
    return new Response(
      new ReadableStream({
        async start(controller) {
          for (let at = 0; at < sharePage.length; at += 5_000) {
            controller.enqueue(Buffer.from(sharePage.slice(at, at + 5_000)))
            await Bun.sleep(1)
          }
          controller.close()
        },
      }),
    )
  },
})
afterAll(async () => {
  await host.stop(true)
  await rm(folder, { recursive: true, force: true })
})

async function refusalOf(path: string) {
  const origin = `http://127.0.0.1:${host.port}`
  const policy = { forbiddenRanges: [], trustedOrigins: [{ origin }] }
  const error = await download(
    { policy, network: createNetwork(undefined, []), fetchLimits: {}, onBytes: () => undefined },
    {
      ...{ url: `${origin}/${path}`, accountId: 'a', path: join(folder, path), budget: createByteBudget(100_000) },
      ...{ limits: create(KindLimitsSchema, { formats: ['jpeg', 'png'] }), signal: new AbortController().signal },
    },
  ).catch(error => error)
  expect(error).toBeInstanceOf(Failure)
  return [error.reason, error.options.details]
}

test('a share page is refused with its title and what to send instead', async () => {
  expect(await refusalOf('a.png')).toEqual([
    'media_type_unsupported',
    { measured: 'a web page (“Dropbox - a.png”), not the file: send the direct download link', limit: 'jpeg, png' },
  ])
})

test('an answer that refuses us says that the link is not public', async () => {
  for (const status of [401, 403])
    expect(await refusalOf(String(status))).toEqual([
      'media_unreachable',
      { measured: `status ${status} (the link isn’t public, or it has expired)`, limit: 'status 200' },
    ])
  expect(await refusalOf('404')).toEqual(['media_unreachable', { measured: 'status 404', limit: 'status 200' }])
})
