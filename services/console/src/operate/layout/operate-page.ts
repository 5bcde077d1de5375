import type { Html } from '@filmgate/kit/http/html'
import { type Notice, page } from '../../layout/page'
import type { Operator } from '../door/operator-of'
import { operateMenu, type Room } from './menu'

type Shown = { operator: Operator; room: Room; title: string; content: Html; notice?: Notice | undefined; scripts?: string[] }

export const operatePage = ({ operator, room, title, content, notice, scripts = [] }: Shown): string =>
  page({ title, person: operator.person, side: operateMenu(operator, room), content, scripts, ...(notice && { notice }) })
