import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKey } from '../../console/journey/keys'
import { formIsThere, smallestPicture } from '../../console/journey/making'
import { openAs } from '../../console/looks/open-as'
import { signUpByWire } from '../../console/people/sign-up'
import type { Visitor } from '../../console/visitor'
import { findChromium, startChromium } from '../../support/browser/chromium'
import { connectDevtools } from '../../support/browser/devtools'
import { sampleBytes } from '../../support/client/sample-media'
import { until } from '../../support/until'

/** A machine without a browser installs one first. */
const installMsMax = 600_000

let visitor: Visitor
let account: string
const close: (() => unknown)[] = []
beforeAll(async () => {
  const path = await findChromium()
  if (!path) throw new Error('chromium is missing and can’t be installed from here: install it (on Debian: apt-get install chromium)')
  const [browser, { accountId, wire }] = await Promise.all([startChromium(path), signUpByWire('Iris')])
  close.push(browser.stop)
  const devtools = await connectDevtools(browser.url)
  close.unshift(devtools.close)
  visitor = await openAs(devtools, { width: 1_280, scheme: 'light' }, wire)
  account = `/accounts/${accountId}`
}, installMsMax)
afterAll(async () => {
  for (const each of close) await each()
})

test('the playground shows the price as one types, another mode without a new page, and a picture as it is uploaded', async () => {
  const { tab } = visitor
  await visitor.go(`${account}/playground?model=alpha-h3-fast&mode=text-to-video`)
  await tab.evaluate('globalThis.before = true')
  const price = (seconds: number) =>
    until(`the price of ${seconds} s`, async () => {
      const text = await tab.evaluate<string>("document.getElementById('price').innerText")
      return new RegExp(`^([\\d,]+)\\s+credits?\\s+Video: ${seconds} s`).exec(text)?.[1]
    })
  await visitor.fill('Prompt', 'A kite over wet fields')
  await visitor.fill('Length', '2')
  const two = Number(await price(2))
  await visitor.fill('Length', '4')
  expect(Number(await price(4))).toBeGreaterThan(two)
  await visitor.press('From an image')
  await visitor.see('First frame')
  await formIsThere(visitor)
  const place = '.media:has(#field-image_url)'
  await visitor.attach(`${place} input[type=file]`, [await smallestPicture()])
  await until('the picture', () => tab.evaluate<boolean>(`document.querySelector('${place} .files img')?.naturalWidth > 0`))
  const kept = await tab.evaluate(`({
    samePage: globalThis.before === true,
    prompt: document.getElementById('field-prompt').value,
    address: document.getElementById('field-image_url').value !== '',
  })`)
  expect(kept).toEqual({ samePage: true, prompt: 'A kite over wet fields', address: true })
  expect(tab.errors).toEqual([])
})

test('a clip is checked as it is uploaded: its size and length stand at the field, and a damaged one is refused there', async () => {
  const { tab } = visitor
  await visitor.go(`${account}/playground?model=alpha-h3&mode=media-to-video`)
  await formIsThere(visitor)
  const folder = mkdtempSync(join(tmpdir(), 'filmgate-islands-'))
  const file = (name: string, bytes: Uint8Array) => {
    writeFileSync(join(folder, name), bytes)
    return join(folder, name)
  }
  const bytes = await sampleBytes('walk-5s.mp4')
  const place = '.media:has(#field-reference_video_urls)'
  await visitor.attach(`${place} input[type=file]`, [file('walk.mp4', bytes)])
  const shown = await until('what was measured', () => tab.evaluate<string>(`document.querySelector('${place} .files .name')?.textContent`))
  expect(shown).toMatch(/^walk\.mp4 · \d+ × \d+ px, 5 s$/)
  const values = () =>
    tab.evaluate(`['urls', 'durations'].map(name => document.getElementById('field-reference_video_' + name).value.split(/[\\s,]+/))`)
  const [[address], durations] = (await values()) as [string[], string[]]
  expect(durations).toEqual(['5'])
  expect(await tab.evaluate(`document.getElementById('field-reference_video_durations').readOnly`)).toBe(true)
  await visitor.attach(`${place} input[type=file]`, [file('damaged.mp4', bytes.fill(0xff, Math.floor(bytes.length * 0.9)))])
  const refused = await until('the refusal', () =>
    tab.evaluate<string>(`document.querySelector('${place} .issue').textContent || undefined`),
  )
  expect(refused).toStartWith('damaged.mp4: The file is damaged or contradicts itself')
  expect(await values()).toEqual([[address], ['5']])
  expect(tab.errors).toEqual([])
})

test('the page of a new key forgets its secret when it is loaded again', async () => {
  await visitor.go(`${account}/keys`)
  expect(await createKey(visitor, 'Website')).toStartWith('sk_live_')
  expect(visitor.tab.errors).toEqual([])
})

test('a typed prompt outlives a reload, and a pasted picture is uploaded', async () => {
  const { tab } = visitor
  const form = `${account}/playground?model=alpha-h3-fast&mode=image-to-video`
  await visitor.go(form)
  await formIsThere(visitor)
  await visitor.fill('Prompt', 'A lantern in fog')
  await visitor.go(form)
  expect(await tab.evaluate("document.getElementById('field-prompt').value")).toBe('A lantern in fog')
  const picture = readFileSync(await smallestPicture()).toString('base64')
  await tab.evaluate(`(() => {
    const bytes = Uint8Array.from(atob('${picture}'), each => each.charCodeAt(0))
    const clipboardData = new DataTransfer()
    clipboardData.items.add(new File([bytes], 'pasted.png', { type: 'image/png' }))
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })()`)
  const name = await until('the pasted picture', () =>
    tab.evaluate<string>("document.querySelector('.media:has(#field-image_url) .files .name')?.textContent"),
  )
  expect(name).toStartWith('pasted.png')
  expect(tab.errors).toEqual([])
})

test('a picture of another shape than the video’s is cropped to it', async () => {
  const { tab } = visitor
  await visitor.go(`${account}/playground?model=beta-1.0-lite&mode=image-to-video`)
  await formIsThere(visitor)
  await tab.evaluate(`(async () => {
    const canvas = new OffscreenCanvas(1024, 1024)
    canvas.getContext('2d').fillRect(100, 100, 700, 500)
    const clipboardData = new DataTransfer()
    clipboardData.items.add(new File([await canvas.convertToBlob()], 'square.png', { type: 'image/png' }))
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })()`)
  const name = "document.querySelector('.media:has(#field-image_url) .files .name')?.textContent"
  const is = (text: string) => until(text, () => tab.evaluate<boolean>(`${name} === '${text}'`))
  await is('square.png · 1024 × 1024 px')
  const first = await tab.evaluate<string>("document.getElementById('field-image_url').value")
  await tab.evaluate(
    "(() => { const ratio = document.getElementById('field-aspect_ratio'); ratio.value = '16:9'; ratio.dispatchEvent(new Event('change', { bubbles: true })) })()",
  )
  await visitor.see('Crop to 16:9')
  await tab.evaluate("[...document.querySelectorAll('.files button')].find(each => each.textContent === 'Crop to 16:9').click()")
  await is('square.png · 1024 × 576 px')
  expect(await tab.evaluate("document.getElementById('field-image_url').value")).not.toBe(first)
  expect(await tab.evaluate("document.body.innerText.includes('Crop to')")).toBe(false)
  expect(tab.errors).toEqual([])
})

test('two models are chosen, asked with one prompt, and their videos shown side by side as they are done', async () => {
  const { tab } = visitor
  // As they are listed: the cheapest first.
  const chosen = ['beta-1.0-lite', 'alpha-h3-fast']
  await visitor.go(`${account}/models?mode=text-to-video`)
  for (const model of chosen) await tab.evaluate(`document.querySelector('input[name="model"][value="${model}"]').click()`)
  await visitor.press('Compare the chosen models')
  await visitor.at(/\/playground\/compare/)
  await visitor.fill('Prompt', 'A kite over wet fields')
  await visitor.fill('Length', '4')
  await until('both prices', () =>
    tab.evaluate<boolean>("/beta-1.0-lite\\s+\\d+\\s+alpha-h3-fast\\s+\\d+/.test(document.getElementById('price').innerText)"),
  )
  await visitor.press('Make 2 videos')
  await visitor.at(/\/compare\/videos/)
  await until('both videos', () => tab.evaluate<boolean>("document.querySelectorAll('.side-by-side video').length === 2"))
  expect(await tab.evaluate("[...document.querySelectorAll('.side-by-side .title')].map(each => each.textContent)")).toEqual(chosen)
  expect(tab.errors).toEqual([])
})

test('chosen videos are saved as one ZIP; one that is gone is named, and nothing is saved', async () => {
  const { tab } = visitor
  await visitor.go(`${account}/tasks`)
  await until('two videos to choose', () => tab.evaluate<boolean>("document.querySelectorAll('.pick input').length === 2"))
  // What the browser would save is kept for the test instead.
  await tab.evaluate(
    '(() => { const make = URL.createObjectURL; URL.createObjectURL = blob => { globalThis.saved = blob; return make(blob) } })()',
  )
  for (const index of [0, 1]) await tab.evaluate(`document.querySelectorAll('.pick input')[${index}].click()`)
  await visitor.press('Download 2 videos as ZIP')
  await visitor.see('The ZIP is complete.')
  const bytes = await tab.evaluate<string>(
    "globalThis.saved.arrayBuffer().then(all => { let text = ''; for (const each of new Uint8Array(all)) text += String.fromCharCode(each); return btoa(text) })",
  )
  const folder = mkdtempSync(join(tmpdir(), 'filmgate-zip-'))
  writeFileSync(join(folder, 'videos.zip'), Buffer.from(bytes, 'base64'))
  const { exitCode, stdout } = Bun.spawnSync([
    'python3',
    '-c',
    'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print([(i.filename, z.read(i)[4:8]) for i in z.infolist()])',
    join(folder, 'videos.zip'),
  ])
  expect(exitCode).toBe(0)
  expect(stdout.toString()).toMatch(/^\[\('a-kite-over-wet-fields-\w+\.mp4', b'ftyp'\), \('a-kite-over-wet-fields-\w+\.mp4', b'ftyp'\)\]/)
  await tab.evaluate("(() => { globalThis.saved = undefined; document.querySelector('.pick input').dataset.url += '.gone' })()")
  await visitor.press('Download 2 videos as ZIP')
  await visitor.see('could not be downloaded. Nothing was saved.')
  expect(await tab.evaluate('globalThis.saved === undefined')).toBe(true)
  tab.errors.splice(0)
})

test('a list of prompts is checked, made one after another, and made once, however often it is sent', async () => {
  const { tab } = visitor
  const tasks = () =>
    tab.evaluate<number>(`fetch('${account}/tasks').then(answer => answer.text()).then(text => text.split('data-task="').length - 1)`)
  await visitor.go(`${account}/playground/batch?model=alpha-h3-fast&mode=text-to-video`)
  const before = await tasks()
  // One more than may run at once.
  await visitor.fill(
    'Prompts',
    ['prompt,duration,resolution', ...['One', 'Two', 'Three', 'Four'].map(word => `${word} kite,1,480p`), 'No kite,99,480p'].join('\n'),
  )
  /** The page before has the same text. */
  const check = async () => {
    await tab.evaluate('globalThis.before = true')
    await visitor.press('Check and show the price')
    await until('the checked list', () => tab.evaluate<boolean>('globalThis.before === undefined').catch(() => false))
    await visitor.see('1 row has an error and will be left out.')
  }
  const make = async () => {
    await visitor.press('Make the videos')
    await visitor.see(/4 of 4 asked for, \d+ credits\. All rows are done\./)
  }
  await check()
  await make()
  await check()
  // The tab knows what it has asked for; where it doesn't, the ids of the rows do.
  await visitor.see(/4 of 4 asked for, \d+ credits\./)
  await tab.evaluate('sessionStorage.clear()')
  await check()
  await make()
  expect(await tasks()).toBe(before + 4)
  expect(tab.errors.filter(error => !error.includes('status of 429'))).toEqual([])
  tab.errors.splice(0)
})
