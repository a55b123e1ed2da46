/** What exists when the platform starts, and again after a reset. */
export interface PlatformSeed {
  readonly projects: readonly SeedProject[]
}

export interface SeedProject {
  /** Who owns it: the `user` of a token. */
  readonly user: string
  readonly name: string
  readonly services?: readonly SeedService[]
}

export interface SeedService {
  readonly name: string
  readonly dockerImage?: string
  readonly containerPort?: number
}
