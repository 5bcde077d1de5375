import postgres from 'postgres'

/**
 * The least there is between a client and a task's row: Bun.serve, postgres.js, one primary-key read, JSON. A process of its own; what it is
 * measured against has one too.
 */
const sql = postgres(process.env.BARE_DATABASE_URL ?? '', { max: 16, onnotice: () => {} })
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const id = request.url.slice(request.url.lastIndexOf('/') + 1)
    const [task] = await sql`select * from task where id = ${id}`
    return Response.json(task)
  },
})
console.log(server.port)
