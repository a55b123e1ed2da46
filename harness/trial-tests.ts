import type { TrialPlan } from './trial.ts'

type Declare = (name: string, options: { readonly meta?: object }, body: unknown) => void

/** The same `test`, which declares a requirement once for each trial that judges it, and not at all without one. */
export function inEachTrial<T extends object>(test: T, plan: TrialPlan): T {
  // Vitest's type of `test` says nothing of options that it only passes on.
  const declare = test as unknown as Declare
  return new Proxy(test, {
    apply(_target, _this, [name, options, body]: Parameters<Declare>) {
      for (const trial of plan.byRequirement[name] ?? []) {
        declare(name, { ...options, meta: { ...options.meta, trial } }, body)
      }
    },
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (key !== 'extend' || typeof value !== 'function') return value
      return (...extension: readonly unknown[]) => inEachTrial(value.apply(target, extension), plan)
    },
  })
}
