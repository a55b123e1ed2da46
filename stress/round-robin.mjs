/**
 * A load balancer that sends each request to the next instance, whoever asks: the worst that an upload can meet.
 *
 *   node stress/round-robin.mjs PORT INSTANCE…
 *
 * Prints its URL once it listens; PORT 0 takes any free one.
 */
import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import { pipeline } from 'node:stream'
import { fileURLToPath } from 'node:url'

/** Resolves to the proxy's URL and a way to end it. The Host header goes through as it came. */
export async function roundRobin(instances, port = 0) {
  const agent = new Agent({ keepAlive: true })
  let turn = 0
  const server = createServer((asked, answered) => {
    const { hostname, port } = new URL(instances[turn++ % instances.length])
    const { method, url: path, headers } = asked
    const onward = request({ agent, hostname, port, method, path, headers }, (answer) => {
      answered.writeHead(answer.statusCode, answer.rawHeaders)
      pipeline(answer, answered, () => undefined)
    })
    onward.on('error', () => (answered.headersSent ? answered.destroy() : answered.writeHead(502).end()))
    answered.once('close', () => answered.writableFinished || onward.destroy())
    asked.pipe(onward)
  })
  server.requestTimeout = 0
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: async () => {
      agent.destroy()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [port, ...instances] = process.argv.slice(2)
  const { url } = await roundRobin(instances, Number(port))
  console.log(url)
}
