/**
 * A view of an object that is looked up anew at every use, so that what stands behind a reference can be exchanged.
 * Its parts that are objects are views again; methods run on the object that is current when they are called.
 */
export function liveView<T extends object>(current: () => T): T {
  const now: () => object = current
  const read = (key: PropertyKey): unknown => {
    const value = Reflect.get(now(), key)
    if (typeof value === 'function') return (...args: unknown[]) => callCurrent(key, args)
    if (typeof value === 'object' && value !== null) return liveView(() => Reflect.get(now(), key))
    return value
  }
  const callCurrent = (key: PropertyKey, args: unknown[]) => {
    const owner = now()
    return Reflect.apply(Reflect.get(owner, key), owner, args)
  }
  return new Proxy({} as T, {
    get: (_, key) => read(key),
    has: (_, key) => Reflect.has(now(), key),
    ownKeys: () => Reflect.ownKeys(now()),
    getOwnPropertyDescriptor: (_, key) =>
      Reflect.getOwnPropertyDescriptor(now(), key) && {
        value: read(key),
        enumerable: true,
        configurable: true,
        writable: true,
      },
  })
}
