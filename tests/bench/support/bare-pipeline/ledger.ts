import { follow, outboxed, sql, startPublisher, topics } from './wire'

const publish = await startPublisher(topics.credits)
await follow(topics.requests, async orders => {
  await sql.begin(async sql => {
    await sql`select available from account for update`
    await sql`
      with paid as (update account set available = available - ${orders.length}),
      reserved as (insert into reservation (id, credits) select id, 1 from unnest(${orders.map(({ id }) => id)}::uuid[]) as row (id)),
      entered as (
        insert into entry (id, book, credits) select id, book, credits
        from unnest(${orders.map(({ id }) => id)}::uuid[]) as row (id), (values ('available', -1), ('reserved', 1)) as posting (book, credits)
      ) ${outboxed(orders, topics.credits)}`
  })
  publish(orders)
})
console.log('ready')
