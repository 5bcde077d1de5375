import { expect, test } from 'bun:test'
import { filled, fillingOf } from './fill'

/** Each is a whole prompt; NUL is none, since no request may have it. */
const hostile = [
  `It's "quoted" and 'quoted'`,
  'back\\slash \\" \\\' \\n at the end \\',
  'line\nbreak\r\nand\ttab',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: bash would expand it
  '$HOME ${HOME} $(touch hacked) `touch hacked` !! %s',
  "'; touch hacked; echo '",
  '\'\'\'""" # */ // <!-- </script>',
  'JSON\nEOF\nJSON',
  '{{ts}} {{json}} {{python}} $& $1 $$',
  '-o /tmp/hacked --yes',
  '--',
  'ünïcödé 你好 🎬 \u2028 \u2029 \ufeff \x7f \x01 \x1b[31m',
  'f"{x}" r"\\" {__import__("os")}',
  '\\u0041 \\x41 \\101 \\N{BULLET}',
]
const body = (prompt: string) => ({
  ...{ model: 'alpha-h3', mode: 'media-to-video', prompt, duration: 5, resolution: '768p', aspect_ratio: 'adaptive', generate_audio: true },
  ...{ reference_image_urls: [`https://example.com/a.png?x=${encodeURIComponent(prompt)}&y='`, 'https://example.com/b.png'] },
  ...{ reference_video_urls: ['https://example.com/c.mp4'], reference_video_durations: [5], seed: null },
})

async function run(command: string[], program: string): Promise<string> {
  const child = Bun.spawn([...command, program], {
    stdout: 'pipe',
    stderr: 'inherit',
    env: { PATH: process.env.PATH ?? '', LC_ALL: 'C.UTF-8' },
  })
  const text = await child.stdout.text()
  expect(await child.exited).toBe(0)
  return text
}

test('a curl sample sends the very body, whatever the prompt', async () => {
  const bodies = hostile.map(body)
  const program = bodies.map(each => filled("cat <<'JSON'\n{{json}}\nJSON\nprintf '\\0'", fillingOf(each))).join('\n')
  const sent = (await run(['bash', '-c'], program)).split('\0').slice(0, -1)
  expect(sent.map(text => JSON.parse(text))).toEqual(bodies)
})

test('a TypeScript literal is the very body, whatever the prompt', async () => {
  const bodies = hostile.map(body)
  const program = bodies.map(each => filled('  all.push({{ts}} as const)', fillingOf(each))).join('\n')
  const source = `const all: unknown[] = []\n${program}\nconsole.log(JSON.stringify(all))`
  expect(JSON.parse(await run([process.execPath, '-e'], source))).toEqual(bodies)
})

test('options of the AI SDK are those of the body, whatever the prompt', async () => {
  const program = hostile.map(prompt => filled('all.push({\n  {{aisdk}}\n})', fillingOf(body(prompt)))).join('\n')
  const read = JSON.parse(await run([process.execPath, '-e'], `const all: unknown[] = []\n${program}\nconsole.log(JSON.stringify(all))`))
  for (const [index, prompt] of hostile.entries()) {
    const { model: _, duration, aspect_ratio: aspectRatio, prompt: __, ...native } = body(prompt)
    expect(read[index]).toEqual({ prompt, duration, aspectRatio, providerOptions: { filmgate: native } })
  }
})

test('keywords of Python are the very body, whatever the prompt', async () => {
  const bodies = hostile.map(body)
  const calls = bodies.flatMap(each => [
    filled('both.append(dict(\n    {{python}}\n))', fillingOf(each)),
    filled('both.append(dict(\n    {{openai}}\n))', fillingOf(each)),
  ])
  const read = JSON.parse(await run(['python3', '-c'], `import json\nboth = []\n${calls.join('\n')}\nprint(json.dumps(both))`))
  for (const [index, each] of bodies.entries()) {
    const { model, prompt, duration, ...native } = each
    expect(read[2 * index]).toEqual(each)
    expect(read[2 * index + 1]).toEqual({ model, prompt, seconds: String(duration), extra_body: native })
  }
})

test('a command line has the very words, whatever the prompt', async () => {
  const lines = hostile.map(prompt => filled("words {{cli}} -o 'video.mp4'", fillingOf(body(prompt))))
  const read = (await run(['bash', '-c'], `words() { printf '%s\\0' "$@"; printf '\\0'; }\n${lines.join('\n')}`)).split('\0\0').slice(0, -1)
  for (const [index, prompt] of hostile.entries()) {
    const { reference_image_urls: images } = body(prompt)
    expect(read[index]?.split('\0')).toEqual([
      ...[prompt.startsWith('-') ? ` ${prompt}` : prompt, '-m', 'alpha-h3', '--mode', 'media-to-video', '--duration', '5'],
      ...['--resolution', '768p', '--aspect-ratio', 'adaptive', '--generate-audio'],
      ...images.flatMap(url => ['--reference-image', url]),
      ...['--reference-video', 'https://example.com/c.mp4', '--reference-video-duration', '5', '--seed', 'null', '-o', 'video.mp4'],
    ])
  }
})

test('the default mode is left out, and OpenAI’s fields stand for the native ones', () => {
  const request = { model: 'alpha-h3', mode: 'text-to-video', prompt: 'A boat', duration: 5, resolution: '768p', aspect_ratio: '16:9' }
  const { json, openai, aisdk } = fillingOf(request)
  expect(JSON.parse(json)).not.toHaveProperty('mode')
  expect(openai.split('\n')).toEqual(['model="alpha-h3",', 'prompt="A boat",', 'seconds="5",', 'size="1366x768",'])
  expect(aisdk.split('\n').at(-1)).toBe("providerOptions: { filmgate: { resolution: '768p' } },")
})

test('what is no placeholder stays, and a value is indented as the line that it stands in', () => {
  const filling = fillingOf({ model: 'alpha-h3', prompt: 'A boat' })
  expect(filled('a {{nothing}} {{model}}\n  f({{ts}})', filling)).toBe(
    "a {{nothing}} alpha-h3\n  f({\n    model: 'alpha-h3',\n    prompt: 'A boat',\n  })",
  )
})
