/** What a service gets to run on: cores, and sizes such as `512Mi`. */
export interface Resources {
  readonly cpu: number
  readonly memory: string
  readonly storage: string
  readonly gpu?: { readonly units: number; readonly vendor: string; readonly model?: string }
}

export interface TemplateEnvVar {
  readonly key: string
  readonly description: string
  readonly required: boolean
  readonly default?: string
  readonly secret?: boolean
}

export interface TemplateComponent {
  readonly id: string
  readonly name: string
  /** The template of the component; absent where it is the template itself. */
  readonly templateId?: string
  readonly description?: string
  readonly primary?: boolean
  readonly internalOnly?: boolean
  readonly required?: boolean
}

/** A recipe for a service. */
export interface Template {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly category: string
  readonly tags: readonly string[]
  readonly repoUrl: string
  readonly dockerImage: string
  readonly serviceType: string
  readonly releaseStage: 'production' | 'internal'
  readonly featured?: boolean
  readonly envVars: readonly TemplateEnvVar[]
  readonly resources: Resources
  readonly ports: readonly { readonly port: number; readonly as: number; readonly global: boolean }[]
  readonly healthCheck?: { readonly path: string; readonly port: number }
  readonly persistentStorage?: readonly {
    readonly name: string
    readonly size: string
    readonly mountPath: string
  }[]
  readonly components?: readonly TemplateComponent[]
}

/** What a service runs on when nothing else is said. */
export const defaultResources: Resources = { cpu: 0.5, memory: '512Mi', storage: '1Gi' }
