/** Which instance did something, for all of them to see: seams are made once for each. */
export const homes = () => {
  const home = new Map<string, object>()
  return {
    settle: (key: string, instance: object | undefined) =>
      instance ? home.set(key, instance) : home.delete(key),
    isForeign: (key: string, instance: object) => home.has(key) && home.get(key) !== instance,
  }
}
