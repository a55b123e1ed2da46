import { type RequirementMeta, requirement } from './requirement.ts'
import type { RunStart } from './run-context.ts'
import { type Omission, omissionFromStart } from './selection.ts'

interface Options {
  readonly meta?: { readonly requirement?: RequirementMeta; readonly omission?: Omission }
  readonly skip?: boolean
}
type Declare = (name: string, options: Options, body: unknown) => void

/**
 * The same `test`, which skips a requirement where it is declared if the run leaves it out whatever the targets offer:
 * a test that is skipped once it runs costs as much as a request.
 */
export function asPlanned<T extends object>(test: T, start: RunStart): T {
  // Vitest's type of `test` says nothing of options that it only passes on.
  const declare = test as unknown as Declare
  return new Proxy(test, {
    apply(_target, _this, [name, options, body]: Parameters<Declare>) {
      const declared = options.meta?.requirement
      const omission = declared && omissionFromStart(requirement(name, declared), start)
      if (!omission) return declare(name, options, body)
      declare(name, { ...options, meta: { ...options.meta, omission }, skip: true }, body)
    },
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (key !== 'extend' || typeof value !== 'function') return value
      return (...extension: readonly unknown[]) => asPlanned(value.apply(target, extension), start)
    },
  })
}
