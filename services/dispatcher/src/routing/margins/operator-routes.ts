import { operatorAuth } from '@filmgate/kit/operator/operator-auth'
import type { Operators } from '@filmgate/kit/operator/operators'
import type { Margins } from '@filmgate/proto/operator/provider'
import { Elysia } from 'elysia'
import type { CardCheck } from '../check-cards'
import { marginRows } from './margins-view'

export type MarginRouteDeps = { operators: Operators; cards: Pick<CardCheck, 'margins' | 'creditMicroUsd'> }

/** What the configured providers leave of the prices in force. */
export const marginRoutes = ({ operators, cards }: MarginRouteDeps) =>
  new Elysia({ name: 'margins', prefix: '/operator/margins', normalize: false })
    .use(operatorAuth(operators))
    .get('/', function getMargins(): Margins {
      return { credit_micro_usd: cards.creditMicroUsd(), data: marginRows(cards.margins()) }
    })
