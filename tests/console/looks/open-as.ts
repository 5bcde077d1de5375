import type { Devtools } from '../../support/browser/devtools'
import type { Screen } from '../../support/browser/tab'
import { settings } from '../../support/settings'
import type { Wire } from '../people/wire'
import { openVisitor, type Visitor } from '../visitor'

/** A visitor with the session of somebody who is signed in already. */
export async function openAs(devtools: Devtools, screen: Screen, { cookies }: Wire): Promise<Visitor> {
  const visitor = await openVisitor(devtools, screen)
  for (const [name, value] of cookies)
    await visitor.tab.send('Network.setCookie', { name, value, url: settings.consoleUrl, httpOnly: true })
  return visitor
}
