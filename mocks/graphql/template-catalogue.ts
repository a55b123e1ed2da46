import { badInput } from './errors.ts'
import type { Template } from './template.ts'

const repository = (name: string) => `https://git.example.org/templates/${name}`

/** The templates that the platform offers: invented, one or more of each kind. */
const templates: readonly Template[] = [
  {
    id: 'static-web',
    name: 'Static web server',
    description: 'Serves a folder of files over HTTP',
    category: 'WEB_SERVER',
    tags: ['http', 'files'],
    repoUrl: repository('static-web'),
    dockerImage: 'registry.example.org/static-web:1.4.0',
    serviceType: 'VM',
    releaseStage: 'production',
    featured: true,
    envVars: [{ key: 'ROOT', default: '/srv', description: 'The folder to serve', required: false }],
    resources: { cpu: 0.25, memory: '256Mi', storage: '1Gi' },
    ports: [{ port: 8080, as: 80, global: true }],
    healthCheck: { path: '/', port: 8080 },
  },
  {
    id: 'relational-database',
    name: 'Relational database',
    description: 'An SQL database with one volume',
    category: 'DATABASE',
    tags: ['sql'],
    repoUrl: repository('relational-database'),
    dockerImage: 'registry.example.org/relational-database:16.2',
    serviceType: 'DATABASE',
    releaseStage: 'production',
    envVars: [
      { key: 'DB_USER', default: 'app', description: 'The owner of the database', required: false },
      { key: 'DB_PASSWORD', default: 'change-me', description: 'Its password', required: true, secret: true },
    ],
    resources: { cpu: 1, memory: '2Gi', storage: '20Gi' },
    ports: [{ port: 5432, as: 5432, global: false }],
    persistentStorage: [{ name: 'data', size: '20Gi', mountPath: '/var/lib/database' }],
  },
  {
    id: 'text-model',
    name: 'Text model',
    description: 'Answers prompts with a language model on one GPU',
    category: 'AI_ML',
    tags: ['gpu', 'inference'],
    repoUrl: repository('text-model'),
    dockerImage: 'registry.example.org/text-model:0.9.1',
    serviceType: 'VM',
    releaseStage: 'production',
    envVars: [{ key: 'MODEL', description: 'The name of the model', required: true }],
    resources: {
      cpu: 4,
      memory: '16Gi',
      storage: '100Gi',
      gpu: { units: 1, vendor: 'nvidia', model: 'a100' },
    },
    ports: [{ port: 8000, as: 80, global: true }],
    healthCheck: { path: '/health', port: 8000 },
  },
  {
    id: 'object-storage',
    name: 'Object storage',
    description: 'Buckets of objects behind an HTTP API',
    category: 'STORAGE',
    tags: ['objects'],
    repoUrl: repository('object-storage'),
    dockerImage: 'registry.example.org/object-storage:2.0.3',
    serviceType: 'BUCKET',
    releaseStage: 'production',
    envVars: [{ key: 'ACCESS_KEY', description: 'The first key', required: true, secret: true }],
    resources: { cpu: 1, memory: '1Gi', storage: '50Gi' },
    ports: [{ port: 9000, as: 80, global: true }],
    persistentStorage: [{ name: 'objects', size: '50Gi', mountPath: '/data' }],
  },
  {
    id: 'block-world',
    name: 'Block world',
    description: 'A game server for twenty players',
    category: 'GAME_SERVER',
    tags: ['game'],
    repoUrl: repository('block-world'),
    dockerImage: 'registry.example.org/block-world:3.1',
    serviceType: 'VM',
    releaseStage: 'production',
    envVars: [{ key: 'PLAYERS', default: '20', description: 'How many may play', required: false }],
    resources: { cpu: 2, memory: '4Gi', storage: '10Gi' },
    ports: [{ port: 25565, as: 25565, global: true }],
  },
  {
    id: 'shop',
    name: 'Shop',
    description: 'A web front with its database',
    category: 'CUSTOM',
    tags: ['http', 'sql'],
    repoUrl: repository('shop'),
    dockerImage: 'registry.example.org/shop:1.0.0',
    serviceType: 'VM',
    releaseStage: 'production',
    envVars: [{ key: 'TITLE', default: 'Shop', description: 'The name over the door', required: false }],
    resources: { cpu: 0.5, memory: '512Mi', storage: '1Gi' },
    ports: [{ port: 3000, as: 80, global: true }],
    components: [
      { id: 'front', name: 'Front', primary: true, required: true },
      { id: 'database', name: 'Database', templateId: 'relational-database', internalOnly: true },
    ],
  },
  {
    id: 'build-runner',
    name: 'Build runner',
    description: 'Runs the builds of a repository',
    category: 'DEVTOOLS',
    tags: ['ci'],
    repoUrl: repository('build-runner'),
    dockerImage: 'registry.example.org/build-runner:0.3.0',
    serviceType: 'VM',
    releaseStage: 'internal',
    envVars: [],
    resources: { cpu: 2, memory: '2Gi', storage: '10Gi' },
    ports: [],
  },
]

const byId = new Map(templates.map((template) => [template.id, template]))

/** The template with this id, or undefined where there is none. */
export const templateById = (id: string): Template | undefined => byId.get(id)

/** The template with this id; one that is not there is an error. */
export function knownTemplate(id: string): Template {
  const found = templateById(id)
  if (!found) throw badInput(`There is no template "${id}"`)
  return found
}

/** What everybody is offered; templates of the stage `internal` are only found by their id. */
export const offeredTemplates: readonly Template[] = templates.filter(
  ({ releaseStage }) => releaseStage === 'production',
)
