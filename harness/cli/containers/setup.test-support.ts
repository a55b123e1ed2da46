import { isInstalled, openEngine } from './engine.test-support.ts'
import { buildImages, removeImages } from './images.test-support.ts'

/**
 * Brings up an engine and the images for the tests of containers, and names both in the environment. Where that cannot
 * be, prints the reason, and the tests leave themselves out.
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  const engine = isInstalled('busybox')
    ? await openEngine()
    : 'busybox is not installed (Debian: busybox-static)'
  if (typeof engine === 'string') {
    process.stdout.write(`no container is tried: ${engine}\n`)
    process.env['ASSAY_NO_ENGINE'] = engine
    return undefined
  }
  if (engine.host !== undefined) process.env['DOCKER_HOST'] = engine.host
  // It has to be pulled, and there are no containers that only it would remove: each test looks.
  process.env['TESTCONTAINERS_RYUK_DISABLED'] = 'true'
  const stop = async () => {
    if (engine.host === undefined) await removeImages()
    await engine.stop()
  }
  // Images that are named are there, or can be pulled.
  if (process.env['ASSAY_REGISTRY_IMAGE']) return engine.stop
  try {
    const started = performance.now()
    const images = await buildImages()
    process.stdout.write(
      `Docker ${engine.version}; images built in ${seconds(performance.now() - started)} s\n`,
    )
    process.env['ASSAY_REGISTRY_IMAGE'] = images.registry
    process.env['ASSAY_POSTGRES_IMAGE'] = images.postgres
    process.env['ASSAY_KUBO_IMAGE'] = images.kubo
    if (images.balancer) process.env['ASSAY_BALANCER_IMAGE'] = images.balancer
  } catch (error) {
    await stop()
    throw error
  }
  return stop
}

const seconds = (ms: number) => Math.round(ms / 1000)
