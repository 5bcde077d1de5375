import { ownWords } from '../../support/client/request'
import type { Visitor } from '../visitor'
import { holdRequests } from './held-requests'
import { formIsThere } from './making'
import { must } from './steps'

const model = 'beta-2.0'
const isForm = (method: string, { pathname }: URL) => method === 'GET' && pathname.endsWith('/playground')

/** Chooses a model and, while its form is on its way, a mode, whose form comes first: the mode of that model is what stands in the end. */
export async function chooseTwice(visitor: Visitor, playground: string): Promise<void> {
  await visitor.go(`${playground}?model=alpha-h3-fast&mode=text-to-video`)
  const requests = await holdRequests(visitor.tab, isForm)
  await visitor.choose('Model', model)
  const first = await requests.next('the form of the model', 1)
  await visitor.press('From an image')
  const second = await requests.next('the form of the mode', 2)
  await second.letGo()
  await visitor.see('First frame')
  await first.letGo()
  await painted(visitor)
  await requests.end()
  await formIsThere(visitor)
  const shown = await visitor.tab.evaluate(`(() => {
    const { model, mode } = document.getElementById('request').elements
    const { search } = location
    return { search, list: document.getElementById('model').value, model: model.value, mode: mode.value }
  })()`)
  const wanted = { search: `?model=${model}&mode=image-to-video`, list: model, model, mode: 'image-to-video' }
  must(Bun.deepEquals(shown, wanted), `chosen was ${JSON.stringify(wanted)}, shown is ${JSON.stringify(shown)}`)
}

/** Presses “Make the video” while another form is on its way: nothing is sent, and what was written stands in the form that comes. */
export async function pressWhileFormComes(visitor: Visitor, playground: string): Promise<void> {
  const prompt = `A tram in the rain, ${ownWords()}`
  await visitor.go(`${playground}?model=alpha-h3-fast&mode=text-to-video`)
  await visitor.fill('Prompt', prompt)
  const requests = await holdRequests(visitor.tab, (method, url) => isForm(method, url) || isSent(method, url))
  await visitor.choose('Model', model)
  const form = await requests.next('the form of the model', 1)
  await visitor.press('Make the video')
  await visitor.see('The form is still loading')
  await form.letGo()
  await formIsThere(visitor)
  await painted(visitor)
  const sent = requests.held.filter(({ method, url }) => isSent(method, url))
  must(sent.length === 0, 'a video was asked for while the form was on its way')
  await requests.end()
  const kept = await visitor.tab.evaluate<string>("document.getElementById('field-prompt').value")
  must(kept === prompt, `the new form says “${kept}” instead of “${prompt}”`)
}

const isSent = (method: string, { pathname }: URL) => method === 'POST' && pathname.endsWith('/playground')

/** What an answer changes is there two frames later. */
const painted = ({ tab }: Visitor): Promise<void> =>
  tab.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')
