import type { Context } from '../context.ts'
import {
  checkOrder,
  type EnvOverride,
  fulfil,
  type ResourceOverride,
  withOverride,
} from '../deploy-template.ts'
import { type Deployment, isLiveStatus, type Progress, progressOf } from '../deployment.ts'
import { notFound } from '../errors.ts'
import { launch, newestDeployment, type PolicyInput, removeDeployment, stopDeployment } from '../launch.ts'
import { findDeployment, ownDeployment, ownProject, ownService } from '../ownership.ts'
import { serviceUrl } from '../service-url.ts'
import type { Service } from '../state.ts'
import { knownTemplate } from '../template-catalogue.ts'

type Provider = 'akash' | 'phala'

const akashSteps = [
  'CREATING',
  'WAITING_BIDS',
  'SELECTING_BID',
  'CREATING_LEASE',
  'SENDING_MANIFEST',
  'DEPLOYING',
]
const leaseStep = akashSteps.indexOf('CREATING_LEASE')
const akashEnds: Partial<Record<Progress['status'], string>> = {
  ACTIVE: 'ACTIVE',
  FAILED: 'FAILED',
  STOPPED: 'SUSPENDED',
  REMOVED: 'CLOSED',
}
const phalaEnds: Partial<Record<Progress['status'], string>> = {
  ACTIVE: 'ACTIVE',
  FAILED: 'FAILED',
  STOPPED: 'STOPPED',
  REMOVED: 'DELETED',
}

const akashStatus = ({ status, step }: Progress) => akashEnds[status] ?? akashSteps[step]
const phalaStatus = ({ status, step }: Progress) =>
  phalaEnds[status] ?? (step === 0 ? 'CREATING' : 'STARTING')

type Of<T> = (deployment: Deployment, _: unknown, context: Context) => T

const progress: Of<Progress> = (deployment, _, { clock }) => progressOf(deployment, clock.now())

const serviceUrls: Of<Record<string, string[]> | null> = (deployment, _, context) => {
  const service = context.state.services.get(deployment.serviceId)
  if (!service || progress(deployment, _, context).status !== 'ACTIVE') return null
  return { [service.slug]: [serviceUrl(service, deployment)] }
}

const resolvedRegion: Of<string | null> = (deployment, _, context) =>
  progress(deployment, _, context).step < leaseStep ? null : (deployment.region ?? 'us-west')

const akashFields: Readonly<Record<string, Of<unknown>>> = {
  status: (...args) => akashStatus(progress(...args)),
  dseq: ({ startedAt }) => String(startedAt),
  owner: ({ user }) => user,
  provider: (...args) => (progress(...args).step < leaseStep ? null : 'provider.example.org'),
  serviceUrls,
  errorMessage: (...args) => progress(...args).message,
  retryCount: () => 0,
  resolvedRegion,
}

interface TemplateArguments {
  readonly input: {
    readonly templateId: string
    readonly projectId: string
    readonly serviceName?: string | null
    readonly envOverrides?: readonly EnvOverride[] | null
    readonly resourceOverrides?: ResourceOverride | null
    readonly policy?: PolicyInput | null
  }
}

const deployFromTemplateTo =
  (provider: Provider) =>
  (_: unknown, { input }: TemplateArguments, context: Context): Deployment => {
    const project = ownProject(input.projectId, context)
    const template = knownTemplate(input.templateId)
    const order = {
      template,
      name: input.serviceName ?? template.name,
      provider,
      envOverrides: input.envOverrides ?? [],
      resources: withOverride(template.resources, input.resourceOverrides),
      policy: input.policy ?? null,
    }
    checkOrder(order)
    return fulfil(context, project, order)
  }

interface DeployArguments {
  readonly input: { readonly serviceId: string; readonly region?: string | null }
}

const deployToAkash = (_: unknown, { input }: DeployArguments, context: Context): Deployment =>
  launch(context, ownService(input.serviceId, context), { provider: 'akash', region: input.region ?? null })

function deploymentOn(provider: Provider, id: string, context: Context): Deployment {
  const deployment = ownDeployment(id, context)
  if (deployment.provider !== provider) throw notFound('Deployment not found')
  return deployment
}

const end =
  (provider: Provider, endDeployment: typeof removeDeployment) =>
  (_: unknown, { id }: { id: string }, context: Context): Deployment =>
    endDeployment(context, deploymentOn(provider, id, context))

const aliveOn =
  (provider: Provider) =>
  (service: Service, _: unknown, { state, clock }: Context): Deployment | null => {
    const deployment = newestDeployment(state, service)
    if (deployment?.provider !== provider) return null
    return isLiveStatus(progressOf(deployment, clock.now())) ? deployment : null
  }

function akashDeployment(_: unknown, { id }: { id: string }, context: Context): Deployment | null {
  const deployment = findDeployment(id, context)
  return deployment?.provider === 'akash' ? deployment : null
}

export const compatDeploymentResolvers = {
  Query: { akashDeployment },
  Mutation: {
    deployFromTemplate: deployFromTemplateTo('akash'),
    deployFromTemplateToPhala: deployFromTemplateTo('phala'),
    deployToAkash,
    closeAkashDeployment: end('akash', removeDeployment),
    stopPhalaDeployment: end('phala', stopDeployment),
    deletePhalaDeployment: end('phala', removeDeployment),
  },
  Service: { activeAkashDeployment: aliveOn('akash'), activePhalaDeployment: aliveOn('phala') },
  AkashDeployment: akashFields,
  PhalaDeployment: { status: ((...args) => phalaStatus(progress(...args))) satisfies Of<string> },
}
