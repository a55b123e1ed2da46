/**
 * A view of an object that is looked up anew at every use, so that what stands behind a reference can be exchanged.
 * Its parts that are objects are views again; methods run on the object that is current when they are called.
 */
export function liveView(current: () => object): object {
  const read = (key: PropertyKey): unknown => {
    const value = Reflect.get(current(), key)
    if (typeof value === 'function') return (...args: unknown[]) => callCurrent(key, args)
    if (typeof value === 'object' && value !== null) return liveView(() => objectAt(key))
    return value
  }
  const callCurrent = (key: PropertyKey, args: unknown[]) => {
    const owner = current()
    const method = Reflect.get(owner, key)
    return Reflect.apply(method, owner, args)
  }
  const objectAt = (key: PropertyKey): object => Reflect.get(current(), key)
  return new Proxy(
    {},
    {
      get: (_, key) => read(key),
      has: (_, key) => Reflect.has(current(), key),
      ownKeys: () => Reflect.ownKeys(current()),
      getOwnPropertyDescriptor: (_, key) =>
        Reflect.getOwnPropertyDescriptor(current(), key) && {
          value: read(key),
          enumerable: true,
          configurable: true,
          writable: true,
        },
    },
  )
}
