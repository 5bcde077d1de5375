import type { Fragment, Sql } from '@filmgate/kit/database/postgres'
import { askerMs, burstMs, opensAfter, placeFirstMs, probeFirstMs, probeMaxMs } from './pace'

const ms = (sql: Sql, value: number): Fragment => sql`${value}::float8 * interval '1 millisecond'`

/**
 * Common tables on `found`, the attempts that are due: `placed` says of each whether it is asked about now (`granted`), else when it is due again
 * (`turn`). Turns are given out in the order in which attempts came due, at the provider's rate, once to each (`hasTurn` of its job, and `dueAt`: since when it waits), so that many
 * more than a provider may be asked about wait in line and are written once. A provider that is held, or whose breaker is open, gives its turns
 * from the end of that on; an open breaker's first turn is the one that tries whether it answers again. Where all of a provider's places are taken
 * an attempt waits as long again as it has waited. The rows of `provider_pace` are locked, so dispatchers give out turns one after the other.
 */
export const placed = (sql: Sql, owner: string): Fragment => sql`
  askers as (
    select provider, sum(asking)::int as asking from provider_asker
    where owner <> ${owner} and seen_at > now() - ${ms(sql, askerMs)} group by provider
  ), locked as (
    select provider, turn_at, probes, silent > 0 as troubled, silent >= ${opensAfter} as open,
      greatest(held_until, case when silent >= ${opensAfter} then probe_at end) as held_until
    from provider_pace where provider in (select provider from found where takes_turn) order by provider for update
  ), line as (
    select provider, "perSecond", troubled, held, open and not held as probing, probe_at,
      case when held then greatest(turn_at, held_until) when open then greatest(turn_at, probe_at)
           else greatest(turn_at, now() - ${ms(sql, burstMs)} + interval '1 second' / "perSecond") end as starts_at
    from (
      select *, coalesce(held_until > now(), false) as held,
        now() + least(${probeMaxMs}, ${probeFirstMs} * power(2, least(probes, 10))) * interval '1 millisecond' as probe_at
      from locked join (select distinct provider, "perSecond" from found where takes_turn) as paced using (provider)
    ) as seen
  ), queued as (
    select due_id, found.provider, has_turn and not held and not probing as paid, probing, starts_at, line."perSecond",
      row_number() over (partition by found.provider, has_turn and not held and not probing order by due_at, due_id) as place,
      greatest(0, least(room - coalesce(askers.asking, 0), "placesLeft")) as room, due_at, first_due_at, line.troubled
    from found join line on line.provider = found.provider left join askers on askers.provider = found.provider where takes_turn
  ), timed as (
    select *, case when paid or (probing and place = 1) then now()
                   else starts_at + (place - 1 - probing::int) * (interval '1 second' / "perSecond") end as turn from queued
  ), ranked as (
    select *, row_number() over (partition by provider, turn <= now() order by paid desc, first_due_at, due_id) as rank from timed
  ), turned as (
    update provider_pace set turn_at = ends_at, probes = provider_pace.probes + probing::int,
      probe_at = case when probing then given.probe_at else provider_pace.probe_at end
    from (
      select line.provider, probing, probe_at,
        starts_at + (select count(*) from queued where queued.provider = line.provider and not paid) * (interval '1 second' / "perSecond") as ends_at
      from line
    ) as given where given.provider = provider_pace.provider
  ), placed as (
    select found.*, ranked.troubled, coalesce(turn <= now() and rank <= ranked.room, true) as granted,
      coalesce(turn > now(), false) as keeps_turn,
      case when turn > now() then turn
           else now() + (0.5 + random()) * least(found.wait_ms / 2, greatest(${placeFirstMs}, extract(epoch from now() - found.first_due_at) * 1000))
             * interval '1 millisecond' end as turn
    from found left join ranked on ranked.due_id = found.due_id
  )`

/** Says how many attempts this process asks each provider about from now on. */
export const askersAfter = (sql: Sql, owner: string): Fragment => sql`
  told as (
    insert into provider_asker (provider, owner, asking, seen_at)
    select placed.provider, ${owner}, max(asking) + count(*), now()
    from placed where granted and takes_turn group by placed.provider order by placed.provider
    on conflict (provider, owner) do update set asking = excluded.asking, seen_at = excluded.seen_at
  )`
