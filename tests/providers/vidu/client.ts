import { join } from 'node:path'
import { ownWords } from '../../support/client/request'
import { settings } from '../../support/settings'
import { type Behaviour, simulator } from '../../support/simulator'
import type { Report } from '../../support/suite/report'
import { fetchPythonClient, runPython } from '../python-client'

const client = { name: 'vidu-mcp', version: '0.1.2', pinnedIn: 'tests/providers/vidu/client.ts' }

type Call = { call: string; arguments: object; key?: string }
type Step = { name: string; expected: RegExp; call: Call; prompt: string }

const video = /"status": "success",\s+"video_url": "http[^"]+\.mp4"/
const picture = 'https://ours.example/lake.jpg'
/** Its tools know models of 2025 alone; a model is any text to them. */
const model = { model: 'viduq3-turbo', duration: 5, resolution: '720p' }

/** Vidu's published client, an MCP server, drives the simulator's fake by its tools: each kind of task ends as a video, and errors are told. */
export async function proveViduClient(report: Report): Promise<void> {
  report.figure('vidu_client.version', client.version)
  const steps = [...(await videos()), ...(await errors())]
  const env = {
    PYTHONPATH: await fetchPythonClient(client),
    VIDU_API_KEY: settings.simulatorKey,
    VIDU_API_HOST: `${settings.simulatorUrl}/vidu`,
  }
  const told = await runPython<Call, string>(
    join(import.meta.dir, 'drive.py'),
    steps.map(({ call }) => call),
    env,
  )
  for (const [index, { name, expected }] of steps.entries())
    report.check(`Vidu’s client: ${name}`, expected.test(told[index] ?? ''), told[index])
  for (const { name, prompt } of steps.filter(one => one.expected === video))
    report.check(`Vidu’s client: ${name}, by one submit`, (await simulator.submitsWith(prompt)).length === 1)
}

async function step(name: string, call: string, given: object, expected: RegExp, behaviours: Behaviour[], key?: string): Promise<Step> {
  const prompt = ownWords()
  await simulator.behave(prompt, behaviours)
  return { name, expected, prompt, call: { call, arguments: { ...model, prompt, ...given }, ...(key && { key }) } }
}

function videos(): Promise<Step[]> {
  const instant: Behaviour[] = [{ name: 'instant' }]
  const pictures = { images: [picture, picture] }
  return Promise.all([
    step('a text becomes a video', 'generate_text_to_video', { aspect_ratio: '9:16' }, video, instant),
    step('a picture becomes a video', 'generate_img_to_video', { image: picture }, video, instant),
    step('two frames become a video', 'generate_startend2video_to_video', pictures, video, instant),
    step('references become a video', 'generate_reference2video_to_video', pictures, video, instant),
  ])
}

function errors(): Promise<Step[]> {
  const text = 'generate_text_to_video'
  const forever: Behaviour[] = [{ name: 'never_finishes' }]
  return Promise.all([
    step('a length that the model doesn’t have is 400', text, { duration: 99 }, /400 Client Error/, forever),
    step('a model that nobody knows is 400', text, { model: 'vidu9' }, /400 Client Error/, forever),
    step('another key is 401', text, {}, /401 Client Error/, forever, 'another-key-altogether'),
    step('too many at once is 429', text, {}, /429 Client Error/, [{ name: 'refuse', code: 'too_many_requests' }]),
    step('a fault of its own is 500', text, {}, /500 Server Error/, [{ name: '500_before_accept' }]),
    step('a video that is withheld has failed', text, {}, /Video generation failed for task_id/, [{ name: 'moderated' }]),
  ])
}
