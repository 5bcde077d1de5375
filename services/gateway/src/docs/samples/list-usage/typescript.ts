import { Filmgate } from '@filmgate/client'

const filmgate = new Filmgate()
for await (const { created_at, kind, model, credits, balance_after } of filmgate.usage.list({ limit: 100 }))
  console.log(created_at, kind, model ?? '', credits, balance_after)

const { data } = await filmgate.usage.summary({ by: 'day,model' })
for (const { day, model, generations, credits_net } of data) console.log(day, model, generations, credits_net)
